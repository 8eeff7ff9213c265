"""How much faster eight environments run on two threads than on one.

    PYTHONPATH=build/release/python .venv/bin/python benchmarks/python/thread_speedup.py

Two figures: by the clock, which needs two cores that nobody else uses (as root: nice -n -20), and by processor time, which does not. What Python does holds
the GIL and is not shared by threads, so with S of it in an action of T, two threads are at most T / (S + (T - S) / 2) times as fast as one.
"""

import statistics
import time

import footfall.gym
import gymnasium
import numpy as np

ENVIRONMENTS, ACTIONS, BATCHES = 8, 40, 25


def feedback(observation):
    return np.clip(-(3.0 * observation[:, 10:22] + 0.1 * observation[:, 22:34]) / 0.3, -1.0, 1.0)


class Many:
    """Environments on some threads, and what their actions have taken [us]."""

    def __init__(self, threads):
        self.environments = gymnasium.make_vec("footfall/Stand-v0", num_envs=ENVIRONMENTS, threads=threads)
        self.observations = self.environments.reset(seed=0)[0]
        self.clock, self.processor = [], []

    def act(self):
        clock, processor = time.perf_counter(), time.process_time()
        for _ in range(ACTIONS):
            self.observations = self.environments.step(feedback(self.observations))[0]
        each = 1e6 / (ACTIONS * ENVIRONMENTS)
        self.clock.append(each * (time.perf_counter() - clock))
        self.processor.append(each * (time.process_time() - processor))


def main():
    many = {threads: Many(threads) for threads in (1, 2)}
    for _ in range(BATCHES):  # in turns, so that what else the machine does hits both
        for each in many.values():
            each.act()
    footfall.gym.StandEnv.STEPS_PER_ACTION = 0
    python = Many(2)
    for _ in range(BATCHES):
        python.act()
    clock = {threads: statistics.median(each.clock) for threads, each in many.items()}
    processor = {threads: statistics.median(each.processor) for threads, each in many.items()}
    held = statistics.median(python.processor)
    for threads in many:
        print(f"{threads} thread(s): {clock[threads]:7.1f} µs an action by the clock, {processor[threads]:7.1f} µs of a processor")
    print(f"without physics, the GIL held: {held:.1f} µs")
    print(f"by the clock {clock[1] / clock[2]:.2f} ×; by processor time {processor[1] / (held + (processor[2] - held) / 2):.2f} × at most")


main()

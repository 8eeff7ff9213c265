"""How much faster eight environments run on two threads than on one.

    PYTHONPATH=build/release/python .venv/bin/python benchmarks/python/thread_speedup.py

By the clock, for which two cores must be free: on a machine that others use, the quickest tenth of all turns is what is left of that, and the median tells
how much the others took (as root: nice -n -20). What Python does holds the GIL and is not shared by threads, so with S of it in an action of T, two
threads are at most T / (S + (T - S) / 2) times as fast as one.
"""

import os
import time

import footfall.gym
import gymnasium
import numpy as np

ENVIRONMENTS, TURNS, BATCHES = 8, 40, 25


def feedback(observation):
    return np.clip(-(3.0 * observation[:, 10:22] + 0.1 * observation[:, 22:34]) / 0.3, -1.0, 1.0)


class Many:
    """Environments on some threads, and what an action has taken in each turn of all of them [us]."""

    def __init__(self, threads):
        self.environments = gymnasium.make_vec("footfall/Stand-v0", num_envs=ENVIRONMENTS, threads=threads)
        self.observations = self.environments.reset(seed=0)[0]
        self.clock = []

    def act(self):
        for _ in range(TURNS):
            start = time.perf_counter()
            self.observations = self.environments.step(feedback(self.observations))[0]
            self.clock.append(1e6 / ENVIRONMENTS * (time.perf_counter() - start))

    def at(self, share):
        """What this share of the turns has not exceeded."""
        return float(np.quantile(self.clock, share))


def main():
    many = {threads: Many(threads) for threads in (1, 2)}
    for _ in range(BATCHES):  # one after the other, so that what else the machine does hits both
        for each in many.values():
            each.act()
    footfall.gym.StandEnv.STEPS_PER_ACTION = 0
    python = Many(1)
    for _ in range(BATCHES):
        python.act()
    print(f"load of the machine {os.getloadavg()[0]:.1f}; an action without physics {python.at(0.1):.1f} µs")
    for name, share in (("quickest tenth", 0.1), ("median", 0.5)):
        one, two = many[1].at(share), many[2].at(share)
        print(f"{name:15} one thread {one:6.1f} µs an action, two {two:6.1f} µs: {one / two:.2f} ×")


main()

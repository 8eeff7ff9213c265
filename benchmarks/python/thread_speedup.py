"""How much faster eight environments run on two threads than on one. Needs two cores that nobody else uses.

    PYTHONPATH=build/release/python .venv/bin/python benchmarks/python/thread_speedup.py
"""

import statistics
import time

import gymnasium
import numpy as np

import footfall.gym  # noqa: F401  registers the environments

ENVIRONMENTS, ACTIONS, BATCHES = 8, 40, 25


def feedback(observation):
    return np.clip(-(3.0 * observation[:, 10:22] + 0.1 * observation[:, 22:34]) / 0.3, -1.0, 1.0)


def main():
    environments = {threads: gymnasium.make_vec("footfall/Stand-v0", num_envs=ENVIRONMENTS, threads=threads) for threads in (1, 2)}
    observations = {threads: environment.reset(seed=0)[0] for threads, environment in environments.items()}
    times = {threads: [] for threads in environments}
    for _ in range(BATCHES):  # in turns, so that what else the machine does hits both
        for threads, environment in environments.items():
            begin = time.perf_counter()
            for _ in range(ACTIONS):
                observations[threads] = environment.step(feedback(observations[threads]))[0]
            times[threads].append(1e6 * (time.perf_counter() - begin) / (ACTIONS * ENVIRONMENTS))
    for threads, values in times.items():
        print(f"{threads} thread(s): {statistics.median(values):7.1f} µs an action, lowest {min(values):7.1f} µs")
    print(f"speed-up {statistics.median(times[1]) / statistics.median(times[2]):.2f} ×, of the lowest {min(times[1]) / min(times[2]):.2f} ×")


main()

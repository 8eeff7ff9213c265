"""What Python adds to a batch step of 4,096 worlds: call, wake-up of the threads, a look at q and nu, new targets.

    PYTHONPATH=build/release/python .venv/bin/python benchmarks/python/batch_overhead.py
"""

import statistics
import time

import footfall as ff
import numpy as np

COPIES, TURNS = 4096, 15


def seconds(call, times):
    start = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - start) / times


def main():
    batch = ff.BatchSimulation("scenes/quadruped.yaml", copies=COPIES)
    target = batch.target.copy()

    def without_physics():
        batch.target[:] = target
        assert batch.q.shape[0] == batch.nu.shape[0] == COPIES
        batch.step(0)

    steps, calls = [], []
    for _ in range(TURNS):
        steps.append(seconds(lambda: batch.step(1), 1))
        calls.append(seconds(without_physics, 20))
    step, call = statistics.median(steps), statistics.median(calls)
    copied = np.prod(target.shape)
    print(f"a step of {COPIES} worlds: {1e3 * step:.2f} ms on {batch.threads} threads")
    print(f"a call without physics, {copied} targets written: {1e6 * call:.1f} us, {100 * call / step:.2f} %")


if __name__ == "__main__":
    main()

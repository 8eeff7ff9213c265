"""What a step loop in Python costs over the same steps in C++: medians of alternating batches, in one run.

    PYTHONPATH=build/release/python .venv/bin/python benchmarks/python/step_overhead.py [scene]
"""

import statistics
import sys
import time
from pathlib import Path

import footfall as ff

STEPS, BATCHES = 500, 41


def in_cpp(sim):
    sim.run(STEPS * sim.dt)


def in_python(sim):
    for _ in range(STEPS):
        sim.step()


def controlled(sim):
    """A loop that also reads joints and writes torques."""
    tau = sim.input.tau
    for _ in range(STEPS):
        tau[:] = -0.1 * sim.state.nu[6:]
        sim.step()


def main():
    scene = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2] / "scenes" / "biped_rod_ankles.yaml"
    sim = ff.Simulation(scene)
    start = sim.snapshot()
    loops = {"C++ loop": in_cpp, "Python loop": in_python, "Python controller": controlled}
    times = {name: [] for name in loops}
    for _ in range(BATCHES):
        for name, loop in loops.items():
            sim.restore(start)
            sim.input.tau[:] = 0.0
            begin = time.process_time()
            loop(sim)
            times[name].append((time.process_time() - begin) / STEPS * 1e6)
    base = statistics.median(times["C++ loop"])
    for name, values in times.items():
        # differences within a batch: what else the machine does falls out
        over = statistics.median(value - cpp for value, cpp in zip(values, times["C++ loop"]))
        print(f"{name:18} {statistics.median(values):8.2f} µs a step, {over:+6.2f} µs over C++ ({statistics.median(values) / base:.3f} ×)")


main()

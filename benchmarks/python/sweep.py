"""What a sweep adds to a case, beside the steps of its simulation: everything that is not Simulation.step().

    PYTHONPATH=build/release/python .venv/bin/python benchmarks/python/sweep.py

Processor time of all processes, so that the load of the machine does not count; a sweep of few cases is taken off, so
that the start of Python does not count. In one run: the same cases by hand, with a new Simulation each, and the steps
alone.
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import footfall as ff

SCENES = Path(ff.__file__).parent / "share" / "footfall" / "scenes"
DURATION = 0.1  # of a case [s]
FEW, MANY = 20, 320
TURNS = 3

STUDY = """
scene: {scene}
sample: {{method: random, count: {count}}}
parameters:
  ground.friction: {{from: 0.4, to: 0.8}}
  hold.damping: {{from: 5, to: 20}}
set: {{run.duration: {duration} s}}
outcomes:
  lowest: min(base.position.z)
  fastest: max(norm(base.velocity))
"""


def processor_seconds_of_sweep(scene: Path, count: int, folder: Path) -> float:
    study = folder / "study.yaml"
    study.write_text(STUDY.format(scene=scene, count=count, duration=DURATION))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "footfall.study", study, "--restart", "-q", "-j", "1"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def processor_seconds_by_hand(scene: Path, count: int) -> tuple[float, float]:
    """(with a new Simulation for each case, steps alone)"""
    whole = steps = 0.0
    for case in range(count):
        begin = time.process_time()
        sim = ff.Simulation(
            scene, set={"ground.friction": 0.4 + 0.4 * case / count, "hold.damping": 5 + 15 * case / count}
        )
        middle = time.process_time()
        sim.run(DURATION)
        end = time.process_time()
        whole, steps = whole + end - begin, steps + end - middle
    return whole, steps


def main() -> None:
    print(f"{'milliseconds a case':<22}{'steps alone':>14}{'new Simulation':>16}{'sweep':>10}{'sweep adds':>13}")
    for name in ("falling_box", "quadruped", "demo"):
        scene = SCENES / f"{name}.yaml"
        sweeps, wholes, steps = [], [], []
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(TURNS):
                many = processor_seconds_of_sweep(scene, MANY, Path(folder))
                few = processor_seconds_of_sweep(scene, FEW, Path(folder))
                sweeps.append(1e3 * (many - few) / (MANY - FEW))
                whole, alone = processor_seconds_by_hand(scene, 50)
                wholes.append(1e3 * whole / 50)
                steps.append(1e3 * alone / 50)
        sweep, whole, alone = (sorted(values)[TURNS // 2] for values in (sweeps, wholes, steps))
        print(f"{name:<22}{alone:>14.2f}{whole:>16.2f}{sweep:>10.2f}{sweep - alone:>13.2f}")


if __name__ == "__main__":
    main()

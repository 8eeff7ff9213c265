"""Studies that the tests run: a box that slides until friction stops it, which takes a fraction of a millisecond."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

# A block of 1 kg on a plane, thrown along x: it stops after v² / (2 µ g).
SCENE = """
robot:
  model: box
  base: {position: [0, 0, 0.1], velocity: [1, 0, 0]}
contacts:
  - {frame: box, footprint: [[-0.1, -0.1, -0.1], [0.1, -0.1, -0.1], [0.1, 0.1, -0.1], [-0.1, 0.1, -0.1]]}
ground: {shape: plane, friction: 0.5}
pushes:
  - {link: box, force: [0, 0, -1], start: 0.0, duration: 0.001}
physics: {step: 1 ms}
run: {duration: 0.02 s}
"""

GRID = """
scene: scene.yaml
parameters:
  ground.friction: {from: 0.2, to: 0.8, count: 4}
  robot.base.velocity.0: [0.5, 1]
outcomes:
  travelled: final(base.position.x)
"""


def write_study(folder: Path, study: str, scene: str = SCENE) -> Path:
    (folder / "scene.yaml").write_text(scene)
    path = folder / "study.yaml"
    path.write_text(study)
    return path


def random_study(folder: Path, cases: int, duration: str = "0.02 s") -> Path:
    """Cases whose outcome tells their friction, speed and seed apart."""
    return write_study(
        folder,
        f"""
scene: scene.yaml
sample: {{method: random, count: {cases}}}
seed: 7
parameters:
  ground.friction: {{from: 0.2, to: 0.8}}
  robot.base.velocity.0: {{from: 0.5, to: 1}}
set: {{run.duration: {duration}}}
outcomes:
  travelled: final(base.position.x)
  stopped_at: time_when(base.velocity.x < 1e-6)
""",
    )


def sweep_command(study: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "footfall.study", str(study), *arguments]


def call_sweep(study: Path, *arguments: str, **options) -> subprocess.CompletedProcess:
    return subprocess.run(sweep_command(study, *arguments), capture_output=True, text=True, timeout=250, **options)


def lines_of(journal: Path) -> int:
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def kill_when(process: subprocess.Popen, journal: Path, lines: int) -> None:
    """kill -9 as soon as this many cases are done."""
    while lines_of(journal) <= lines:
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()

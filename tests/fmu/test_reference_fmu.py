"""Together with an FMU that is not ours: BouncingBall of the Modelica Association's Reference FMUs."""

import os
import pathlib
import subprocess
import sys
import tarfile

import pytest

from conftest import ROOT, export, footfall
from host import Robot

sys.path.insert(0, str(ROOT / "tools" / "third_party"))
import fetch  # noqa: E402

GRAVITY = 9.81  # of the ball [m/s²]


@pytest.fixture(scope="session")
def ball(folder):
    """Kept beside the other archives of this clone."""
    archives = pathlib.Path(os.environ["FOOTFALL_ARCHIVES"])
    archive = archives / "sim_explorer-0.2.2.tar.gz"
    if not archive.exists():
        lines = [line for line in pathlib.Path(__file__).with_name("reference_fmus.txt").read_text().splitlines() if line[0] != "#"]
        try:
            fetch.download(archives, lines, fetch.KINDS["sources.txt"])
        except subprocess.CalledProcessError:
            pytest.skip("the Python registry cannot be reached, and the Reference FMU was not fetched before")
    with tarfile.open(archive) as files:
        bytes_of_fmu = files.extractfile("sim_explorer-0.2.2/tests/data/BouncingBall0/BouncingBall.fmu").read()
    path = folder / "BouncingBall.fmu"
    path.write_bytes(bytes_of_fmu)
    assert Robot(path, initialize=False).description.generationTool.startswith("Reference FMUs")
    return path


DOUBLER = """step: 1 ms
inputs: {u: {type: scalar, unit: m}}
outputs: {y: twice}
blocks: {twice: {block: Gain, factor: 2}}
connect: [u -> twice]
"""


def test_it_is_a_block_of_a_diagram(folder, ball):
    """It falls from 1 m, and bounces with the restitution that a parameter sets."""
    diagram = folder / "ball.yaml"
    diagram.write_text(f"step: 1 ms\nblocks:\n  ball: {{block: Fmu, file: {ball}, step: 1 ms, parameters: {{e: 0.5}}}}\n"
                       "  twice: {block: Gain, factor: 2}\nconnect: [ball.h -> twice]\nlog: [ball.h, twice.out]\n")
    log = folder / "ball.csv"
    footfall("run", diagram, "--duration", "0.7", "--log", log, "--quiet")
    rows = [line.split(",") for line in log.read_text().splitlines() if line[0].isdigit()]
    assert len(rows) == 701
    heights = [float(height) for _, height, _ in rows]
    for time, height, twice in [tuple(map(float, row)) for row in rows[1:400]]:
        assert twice == 2.0 * height
        # Euler's method inside of the ball with a step of at most 10 ms: wrong by g t h / 2
        assert height == pytest.approx(1.0 - 0.5 * GRAVITY * time**2, abs=0.5 * GRAVITY * time * 0.011)
    landing = next(k for k, height in enumerate(heights) if k > 1 and heights[k - 1] < heights[k])
    assert max(heights[landing:]) == pytest.approx(0.25, abs=0.05)  # e² of the height that it fell from


def test_libcosim_connects_it_with_ours(folder, ball):
    """Two FMUs of two vendors in a host of a third: our diagram doubles the height of their ball."""
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimObserver import CosimObserver
    from libcosimpy.CosimSlave import CosimLocalSlave

    (folder / "double_height.yaml").write_text(DOUBLER)
    ours = export(folder, "2", folder / "double_height.yaml")
    names = {path: {name: v.valueReference for name, v in Robot(path, initialize=False).variables.items()} for path in (ball, ours)}
    execution = CosimExecution.from_step_size(step_size=10_000_000)  # [ns]
    ball_slave = execution.add_local_slave(local_slave=CosimLocalSlave(fmu_path=str(ball), instance_name="ball"))
    our_slave = execution.add_local_slave(local_slave=CosimLocalSlave(fmu_path=str(ours), instance_name="double"))
    execution.connect_real_variables(ball_slave, names[ball]["h"], our_slave, names[ours]["u"])
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer=observer)

    def number(slave, reference):
        return observer.last_real_values(slave_index=slave, variable_references=[reference])[0]

    before = None
    for k in range(1, 31):
        execution.simulate_until(target_time=k * 10_000_000)
        if before is not None:  # the host hands on what was there at the last communication point
            assert number(our_slave, names[ours]["y"]) == 2.0 * before
        before = number(ball_slave, names[ball]["h"])
    assert 0.4 < before < 0.7, "it has fallen for 0.3 s"

"""FMI 3.0 beside an FMU of another tool, with arrays between the two: PythonFMU3 makes it, and FMPy's container, which is written in C++ and is an FMU
of FMI 3.0 itself, runs it together with ours. There are no Reference FMUs of FMI 3.0 on the registries that we may use: docs/fmu.md."""

import math
import pathlib
import subprocess
import sys
import types

import pytest

from conftest import export
from host import Robot

fmpy = pytest.importorskip("fmpy")
pytest.importorskip("pythonfmu3")
import fmpy.container_fmu  # noqa: E402
from fmpy.container_fmu.cli import create_container_fmu  # noqa: E402
from fmpy.container_fmu.config import Component, Configuration, Connection  # noqa: E402
from fmpy.model_description import CoSimulation, ModelDescription, ModelVariable, Unknown, read_model_description  # noqa: E402

STEPS = 200
SHOWN = ["l_knee.position", "r_knee.velocity", "l_hip_pitch.position"]


@pytest.fixture(scope="module")
def pull_back(folder):
    script = pathlib.Path(__file__).with_name("foreign") / "pull_back.py"
    subprocess.run([sys.executable, "-m", "pythonfmu3", "build", "-f", script, "-d", folder], check=True, capture_output=True)
    path = folder / "PullBack.fmu"
    assert read_model_description(str(path)).generationTool.startswith("PythonFMU3")
    return path


def by_hand(ours, theirs):
    """What the container should do: all values are handed on, then everybody makes a step."""
    robot, pull = Robot(ours), Robot(theirs)
    for _ in range(STEPS):
        position = robot.slave.getFloat64(robot.reference("base.position"), 3)
        wrench = pull.slave.getFloat64(pull.reference("wrench"), 6)
        pull.slave.setFloat64(pull.reference("position"), position)
        robot.slave.setFloat64(robot.reference("wrench.pelvis"), wrench)
        robot.step()
        pull.step()
    values = [robot.get(name) for name in SHOWN]
    robot.close()
    return values


def container(folder, ours, theirs):
    components = [Component(path.stem, path, read_model_description(str(path))) for path in (ours, theirs)]
    robot, pull = components

    def variable(component, name):
        return next(v for v in component.modelDescription.modelVariables if v.name == name)

    time = ModelVariable("time", type="Float64", causality="independent", variability="continuous")
    shown = {name: ModelVariable(name, type="Float64", causality="output", variability="continuous") for name in SHOWN}
    description = ModelDescription(
        fmiVersion="3.0", modelName="pair", instantiationToken="pair", modelVariables=[time, *shown.values()],
        coSimulation=CoSimulation("container_fmu", fixedInternalStepSize=1e-3), outputs=[Unknown(variable=v) for v in shown.values()])
    connections = [Connection(robot, [variable(robot, "base.position")], pull, [variable(pull, "position")]),
                   Connection(pull, [variable(pull, "wrench")], robot, [variable(robot, "wrench.pelvis")])]
    mappings = {v: [(robot, variable(robot, name))] for name, v in shown.items()}
    (unpacked := folder / "container").mkdir()
    create_container_fmu(Configuration(False, description, components, connections, mappings), unpacked, folder / "pair.fmu")
    return folder / "pair.fmu"


def test_a_host_written_in_cpp_hands_arrays_from_one_to_the_other(folder, pull_back, monkeypatch):
    # FMPy 0.3.32 writes the size of an array as a number of NumPy, which json does not know.
    monkeypatch.setattr(fmpy.container_fmu, "np", types.SimpleNamespace(prod=math.prod))
    ours = export(folder, "3")
    expected = by_hand(ours, pull_back)
    pair = Robot(container(folder, ours, pull_back))
    pair.run(STEPS)
    assert [pair.get(name) for name in SHOWN] == expected
    alone = Robot(ours)
    alone.run(STEPS)
    assert [alone.get(name) for name in SHOWN] != expected, "the arrays arrive: the other FMU pulls"
    pair.close()
    alone.close()


def test_it_is_a_block_of_a_diagram(folder, pull_back):
    """In a process that has Python, which such an FMU needs."""
    footfall = pytest.importorskip("footfall")
    diagram = folder / "pull.yaml"
    diagram.write_text(f"step: 1 ms\nblocks:\n  place: {{block: Constant, value: [0.5, -1, 2]}}\n"
                       f"  pull: {{block: Fmu, file: {pull_back}, step: 1 ms}}\nconnect: [place -> pull.position]\n")
    run = footfall.Diagram.load(diagram).start()
    run.run(0.01)
    assert run.signal("pull.wrench").tolist() == [-100.0, 200.0, 0.0, 0.0, 0.0, 0.0]

"""Whatever users hold in their hands can be copied and pickled, or says that it cannot."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

import footfall as ff


class Decay(ff.Block):
    """Discrete and continuous states in one block."""

    def __init__(self, rate):
        self.rate = rate

    def declare(self, io):
        io.input("in")
        io.output("out", 2, depends_on=[])
        io.discrete_states(1)
        io.continuous_states(1)
        io.sample_time(0)

    def initialize(self, e):
        e.continuous_state = [1.0]

    def outputs(self, e):
        e["out"] = [e.state[0], e.continuous_state[0]]

    def update(self, e):
        e.state = e.state + 1

    def derivatives(self, e):
        e.rate = e["in"] - self.rate * e.continuous_state


def with_conditions():
    """Conditions, a state machine, a delay, Python, an input: whatever remembers something."""
    builder = ff.DiagramBuilder()
    builder.input("u")
    builder.add("wave", "Sine", amplitude=1.0, frequency=3.0)
    builder.add("high", "Compare", operation=">", value=0.3)
    builder.add("sum", "Integrator", initial=0.5)
    builder.add("lamp", "StateMachine", states=["on", "off"], inputs=["x"],
                transitions=[{"from": "on", "to": "off", "when": "x > 0.5"}, {"from": "off", "to": "on", "when": "t > 0.05"}])
    builder.add("late", "Delay", samples=7)
    builder.add("decay", Decay(2.0))
    builder.add("scope", "Scope")
    for line in ["wave high.a", "wave sum.in", "wave lamp.x", "sum.out late", "u decay.in", "late scope"]:
        builder.connect(*line.split())
    builder.when("sum", "high.out", on="is")
    builder.when("late", "high.out", on="rises", restart=True)
    builder.output("decayed", "decay.out")
    return builder.build(step=1e-3, solver="rk45", tolerance=1e-8)


def everything(run):
    signals = [run.signal(name).tobytes() for name in run.diagram.signals]
    return run.snapshot(), run.time, run.signal_time, signals


def pickled(thing):
    return pickle.loads(pickle.dumps(thing))


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, pickled, lambda run: run.copy()])
def test_a_run_of_a_diagram_goes_on_bit_for_bit(again):
    run = with_conditions().start()
    run.set_input("u", [0.25])
    run.run(0.123)
    other = again(run)
    assert everything(other) == everything(run)
    run.run(0.4)
    assert everything(other) != everything(run), "it does not go along"
    other.run(0.4)
    assert everything(other) == everything(run)
    times, values = run.scope("scope")  # what it has seen is remembered by nobody but the run itself
    later = times > 0.1225
    assert all(np.array_equal(a, b[later]) for a, b in zip(other.scope("scope"), (times, values)))


def test_a_diagram_pickles_as_what_it_was_made_of():
    diagram = with_conditions()
    again = pickled(diagram)
    assert (again.blocks, again.signals, again.inputs, again.outputs, again.dt) == (
        diagram.blocks, diagram.signals, diagram.inputs, diagram.outputs, diagram.dt)
    runs = [diagram.start(), again.start(), copy.deepcopy(diagram).start()]
    for run in runs:
        run.run(0.2)
    assert len({run.snapshot() for run in runs}) == 1


def test_what_a_builder_is_told_later_does_not_change_its_diagrams():
    builder = ff.DiagramBuilder()
    factors = [1.0, 2.0]
    builder.add("gain", "Gain", factor=factors)
    builder.add("one", "Constant", value=[1.0, 1.0])
    builder.connect("one", "gain")
    first = builder.build()
    factors[0] = 5.0
    builder.add("more", "Clock")
    run = pickled(first).start()
    run.step()
    assert run.diagram.blocks == ["gain", "one"] and run.signal("gain.out").tolist() == [1.0, 2.0]


def test_a_diagram_of_a_file_pickles_in_another_folder_and_process(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chain.yaml").write_text(
        "blocks:\n  wave: {block: Sine, amplitude: 2, frequency: 0.5}\n  sum: {block: Integrator}\nconnect: [wave -> sum]\n")
    run = ff.Diagram.load("chain.yaml", set={"blocks.wave.amplitude": 3}).start()
    run.run(0.1)
    (tmp_path / "run.pickle").write_bytes(pickle.dumps(run))
    run.run(0.1)
    program = ("import pickle, sys\nrun = pickle.load(open(sys.argv[1], 'rb'))\nrun.run(0.1)\n"
               "sys.stdout.buffer.write(run.snapshot())")
    (tmp_path / "elsewhere").mkdir()
    done = subprocess.run([sys.executable, "-c", program, tmp_path / "run.pickle"], cwd=tmp_path / "elsewhere",
                          capture_output=True, check=True)
    assert done.stdout == run.snapshot()


def test_a_robot_in_a_diagram_pickles():
    builder = ff.DiagramBuilder(scene="scenes/quadruped.yaml")
    builder.add("robot", "Robot")
    run = builder.build(step=1e-3).start()
    run.run(0.1)
    other = pickled(run)
    run.run(0.1)
    other.run(0.1)
    assert other.snapshot() == run.snapshot() and other.state == run.state


def things():
    """All that the package gives to users, by name."""
    simulation = ff.Simulation("scenes/quadruped.yaml")
    simulation.run(0.05)
    model = simulation.model
    return {
        "Simulation": simulation,
        "State": simulation.state,
        "StepResult": simulation.result,
        "Model": model,
        "Link": model.links[0],
        "Joint": model.joints[0],
        "Frame": model.frames[0],
        "Energy": simulation.dynamics.energy(),
        "Dynamics": simulation.dynamics,
        "Input": simulation.input,
        "Springs": simulation.springs,
        "JointValues": simulation.state.joint,
        "LinearSystem": simulation.linearize(),
        "SolveStatus": simulation.result.status,
        "BatchSimulation": ff.BatchSimulation("scenes/quadruped.yaml", copies=2, longest_delay=3),
        "Diagram": with_conditions(),
        "DiagramBuilder": ff.DiagramBuilder(),
        "DiagramRun": ff.Diagram.load("scenes/falling_box.yaml").start(),
    }


PICKLE = {"Simulation", "State", "StepResult", "Model", "Link", "Joint", "Frame", "Energy", "LinearSystem", "SolveStatus",
          "Diagram", "DiagramRun", "BatchSimulation"}


KINDS = PICKLE | {"Dynamics", "Input", "Springs", "JointValues", "DiagramBuilder"}


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, pickled])
@pytest.mark.parametrize("name", sorted(KINDS))
def test_copies_are_whole_or_refused(name, again):
    """Never an object that lacks something, and never a bare `cannot pickle`."""
    assert set(things()) == KINDS
    thing = things()[name]
    if name not in PICKLE:
        with pytest.raises(TypeError, match=f"{name}|JointValues"):
            again(thing)
        return
    other = again(thing)
    assert type(other) is type(thing)
    for attribute in dir(thing):
        value = getattr(thing, attribute)
        if isinstance(value, (int, float, str)) and attribute != "__doc__":
            assert getattr(other, attribute) == value, attribute
        if isinstance(value, np.ndarray) and value.dtype == float:
            assert getattr(other, attribute).tobytes() == value.tobytes(), attribute

"""Linearisation, operating points, scopes, and blocks of Python that a file names."""

import copy
import sys
from pathlib import Path

import numpy as np
import pytest

import footfall as ff

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "python"
sys.path.insert(0, str(EXAMPLES))
import lqr  # noqa: E402


def exponential(matrix):
    result, term = np.eye(len(matrix)), np.eye(len(matrix))
    for k in range(1, 30):
        term = term @ matrix / k
        result = result + term
    return result


def test_the_cart_pole_is_linearised_as_its_closed_form():
    simulation, system, _ = lqr.cart_pole()
    # M x'' = u − m l θ'' …, linear around upright: [[M + m, m l], [m l, m l² + I]] [x'', θ''] = [u, m g l θ]
    cart, m, l, inertia, g = 1.0, 0.2, 0.5, 2e-4, 9.81
    mass = np.array([[cart + m, m * l], [m * l, m * l * l + inertia]])
    A = np.zeros((4, 4))
    A[:2, 2:] = np.eye(2)
    A[2:, :2] = np.linalg.solve(mass, np.diag([0.0, m * g * l]))
    B = np.vstack([np.zeros((2, 2)), np.linalg.inv(mass)])
    dt = simulation.dt
    assert system.states == ["cart", "pole", "cart.velocity", "pole.velocity"]
    assert system.inputs == ["cart", "pole"] and system.dt == dt
    assert repr(system) == f"<footfall.LinearSystem, steps of {dt} s: 4 states, 2 inputs, 4 outputs>"
    # of second order: what a step leaves out are terms of dt³ |A|³
    assert system.A == pytest.approx(exponential(A * dt), abs=100 * dt**3 * np.abs(A).max() ** 1.5)
    expected = (np.eye(4) + A * dt / 2 + A @ A * dt * dt / 6) * dt @ B
    assert system.B == pytest.approx(expected, abs=100 * dt**3 * np.abs(B).max())


def test_linearising_leaves_the_simulation_as_it_was():
    simulation, _, _ = lqr.leg()
    before = simulation.snapshot()
    simulation.linearize()
    assert simulation.snapshot() == before


def test_a_regulator_from_it_brings_the_pole_upright():
    simulation, _, K = lqr.cart_pole()
    simulation.state.joint["pole"] = 0.3
    lqr.balance(simulation, K, 20.0)
    assert np.abs(simulation.state.q[7:]).max() < 1e-3
    assert np.abs(simulation.state.nu).max() < 1e-3


def test_a_leg_keeps_its_balance_and_its_foot():
    def push(time):
        return 30.0 if 0.5 <= time < 0.6 else 0.0

    simulation, _, K = lqr.leg()
    worst = lqr.balance(simulation, K, 4.0, push)
    assert 1e-3 < worst < 0.2, "it was pushed, and did not fall"
    assert np.abs(simulation.state.q[7:]).max() < 1e-4
    assert np.abs(simulation.state.base_position[:2]).max() < 1e-6, "the foot sticks"
    limp, _, K = lqr.leg()
    assert lqr.balance(limp, 0.0 * K, 4.0, push) > 0.9, "without the regulator it falls"


def tank():
    """Level of a tank: h' = (u − k √h) / A."""
    builder = ff.DiagramBuilder()
    builder.input("inflow")
    builder.add("level", "Integrator", initial=1.0)
    builder.add("rate", "Function", formula="(u - 0.5*sqrt(h))/2", inputs=["u", "h"])
    builder.add("scope", "Scope")
    builder.connect("inflow", "rate.u")
    builder.connect("level.out", "rate.h")
    builder.connect("rate", "level.in")
    builder.connect("level.out", "scope")
    builder.output("level", "level.out")
    return builder.build(step=1e-2).start()


def test_an_operating_point_is_found_and_linearised():
    run = tank()
    run.set_input("inflow", [1.0])
    assert run.trim() < 1e-10
    assert run.signal("level")[0] == pytest.approx(4.0, abs=1e-8)
    system = run.linearize()
    assert (system.states, system.inputs, system.outputs) == (["level"], ["inflow"], ["level"])
    assert system.A[0, 0] == pytest.approx(-0.5 / (2 * 2 * np.sqrt(4.0)), abs=1e-9)
    assert system.B[0, 0] == pytest.approx(0.5, abs=1e-9)
    assert (system.C[0, 0], system.D[0, 0]) == (pytest.approx(1.0, abs=1e-9), pytest.approx(0.0, abs=1e-12))


def test_inputs_may_be_found_too_and_unknown_ones_are_named():
    run = tank()
    run.set_input("inflow", [0.6])
    run.trim(["inflow"])
    assert run.linearize().A[0, 0] < 0.0
    with pytest.raises(ff.Error, match="no input 'inflw'"):
        run.trim(["inflw"])


def loop_with_a_delay():
    """x' = x + u - 3 x(t - 10 ms): the delay is what makes it stable."""
    builder = ff.DiagramBuilder()
    builder.input("u")
    builder.add("error", "Sum", signs="+-")
    builder.add("plant", "StateSpace", A=[[1]], B=[[1]], C=[[1]], D=[[0]])
    builder.add("gain", "Gain", factor=3)
    builder.add("late", "UnitDelay")
    builder.connect("u", "error.in1")
    builder.connect("plant", "late")
    builder.connect("late", "gain")
    builder.connect("gain", "error.in2")
    builder.connect("error", "plant")
    builder.output("y", "plant.out")
    return builder.build(step=1e-3).start()


def test_what_is_not_continuous_is_not_left_out_without_a_word():
    run = loop_with_a_delay()
    for ask in (run.linearize, run.trim):
        with pytest.raises(ff.Error, match=r"not continuous.*'late' \(UnitDelay\)") as error:
            ask()
        assert "hold_discrete=True" in str(error.value) and "'plant'" not in str(error.value)
    system = run.linearize(hold_discrete=True)
    assert system.A == pytest.approx(np.array([[1.0]])), "the loop is open where it is held"
    assert run.trim(hold_discrete=True) < 1e-10


def test_a_robot_in_a_diagram_is_not_taken_for_nothing():
    builder = ff.DiagramBuilder("scenes/quadruped.yaml")
    builder.add("robot", "Robot")
    builder.input("torque", 12)
    builder.output("q", "robot.q")
    builder.connect("torque", "robot.torque")
    run = builder.build().start()
    for ask in (run.linearize, lambda: run.trim(["torque"])):
        with pytest.raises(ff.Error, match=r"'robot' \(Robot\)") as error:
            ask()
        assert "Simulation.linearize()" in str(error.value)


def test_a_discrete_filter_has_no_place_in_a_continuous_system():
    builder = ff.DiagramBuilder()
    builder.input("u")
    builder.add("filter", "DiscreteTransferFunction", numerator=[0.1], denominator=[1, -0.9], sample=0.01)
    builder.output("y", "filter.out")
    builder.connect("u", "filter")
    with pytest.raises(ff.Error, match="'filter'"):
        builder.build(step=1e-3).start().linearize()


def test_a_scope_is_read():
    run = tank()
    run.run(0.5)
    times, values = run.scope("scope")
    assert times == pytest.approx(0.01 * np.arange(50)) and values.shape == (50, 1)
    assert np.all(np.diff(values[:, 0]) < 0.0)


def test_a_file_names_a_block_of_python(tmp_path, monkeypatch):
    (tmp_path / "my_blocks.py").write_text("""
import footfall as ff

class Shift(ff.Block):
    def __init__(self, by, twice=False):
        self.by = by * (2 if twice else 1)
    def declare(self, io):
        io.input("in")
        io.output("out")
    def outputs(self, e):
        e["out"] = e["in"] + self.by
""")
    monkeypatch.syspath_prepend(str(tmp_path))
    file = tmp_path / "d.yaml"
    file.write_text("""blocks:
  one: {block: Constant, value: 1}
  shift: {block: "python:my_blocks.Shift", by: 3, twice: true}
connect: [one -> shift]
""")
    run = ff.Diagram.load(file).start()
    run.step()
    assert run.signal("shift.out")[0] == 7.0
    file.write_text("blocks:\n  a: {block: \"python:my_blocks\"}\n")
    with pytest.raises(ff.Error, match="names no class"):
        ff.Diagram.load(file)


def test_when_from_python():
    builder = ff.DiagramBuilder()
    builder.add("clock", "Clock")
    builder.add("late", "Compare", operation=">=", value=0.005)
    builder.add("twice", "Gain", factor=2.0)
    builder.connect("clock", "late.a")
    builder.connect("clock", "twice")
    builder.when("twice", "late.out")
    run = builder.build().start()
    run.run(0.004)
    assert run.signal("twice.out")[0] == 0.0
    run.run(0.004)
    assert run.signal("twice.out")[0] == pytest.approx(0.014)
    with pytest.raises(ff.Error, match="rises"):
        builder.when("twice", "late.out", on="up")


def test_a_copy_of_a_run_goes_on_by_itself():
    builder = ff.DiagramBuilder()
    builder.add("wave", "Sine", amplitude=1.0, frequency=1.0)
    builder.add("sum", "Integrator")
    builder.connect("wave.out", "sum.in")
    run = builder.build(step=1e-3).start()
    run.run(0.1)
    other = copy.copy(run)
    run.run(0.2)
    assert other.time == pytest.approx(0.1, abs=1e-12)
    other.run(0.2)
    assert other.signal("sum.out")[0] == run.signal("sum.out")[0] != 0.0

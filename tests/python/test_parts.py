"""Contact models, integrators and blocks that are written in Python."""

import gc

import numpy as np
import pytest

import footfall as ff


class NormalOnly(ff.ContactModel):
    """Frictionless: each contact by itself stops the approach, a few sweeps over all of them."""

    def solve(self, inputs):
        target = np.zeros((inputs.contacts, 3))
        target[:, 2] = -inputs.velocity_free[:, 2] - inputs.gap / inputs.dt
        normal = range(2, 3 * inputs.contacts, 3)
        G = inputs.G[np.ix_(normal, normal)]
        p = np.zeros(inputs.contacts)
        for _ in range(200):
            for i in range(inputs.contacts):
                p[i] = max(0.0, p[i] + (target[i, 2] - G[i] @ p) / G[i, i])
        impulses = np.zeros((inputs.contacts, 3))
        impulses[:, 2] = p
        return impulses


def test_a_contact_model_in_python_carries_the_weight():
    scene = {
        "robot": {"model": "box", "base": {"on_ground": True}},
        "contacts": [{"frame": "sole", "footprint": [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]}],
    }
    simulation = ff.Simulation(scene, contact_model=NormalOnly())
    height = simulation.state.base_position[2]
    simulation.run(0.2)
    force = simulation.result.contacts.force_W[:, 2].sum()
    assert force == pytest.approx(9.81 * simulation.model.mass, rel=1e-6)
    assert simulation.state.base_position[2] == pytest.approx(height, abs=1e-6)


@pytest.mark.parametrize("answer, problem", [
    (lambda inputs: np.zeros((inputs.contacts + 1, 3)), "expected one impulse of three numbers"),
    (lambda inputs: 1 / 0, "division by zero"),
])
def test_errors_of_a_contact_model_reach_the_caller(answer, problem):
    class Bad(ff.ContactModel):
        def solve(self, inputs):
            return answer(inputs)

    simulation = ff.Simulation("scenes/falling_box.yaml", contact_model=Bad())
    with pytest.raises(Exception, match=problem):
        simulation.run()


def test_impulses_that_are_not_finite_fail_the_step():
    class Bad(ff.ContactModel):
        def solve(self, inputs):
            return np.full((inputs.contacts, 3), np.nan)

    simulation = ff.Simulation("scenes/falling_box.yaml", contact_model=Bad())
    with pytest.raises(ff.RunFailed):
        simulation.run()


class ExplicitEuler(ff.Integrator):
    def advance(self, step):
        self.kept = step
        return step.move(step.q, step.nu, step.dt), step.nu_free


def test_an_integrator_in_python_gives_the_bits_of_ours():
    # without contacts, so that the integrator has every step to itself
    scene = "robot: {model: box, base: {position: [0, 0, 5]}}\nphysics: {integrator: explicit_euler}\n"
    ours = ff.Simulation(scene)
    python = ff.Simulation(scene, integrator=(mine := ExplicitEuler()))
    for simulation in (ours, python):
        simulation.state.nu[:] = [1, 0, 0, 0.1, 2.0, 3.0]
        simulation.run(0.1)
    assert np.array_equal(ours.state.q, python.state.q) and np.array_equal(ours.state.nu, python.state.nu)
    with pytest.raises(ff.Error, match="it is over"):
        mine.kept.acceleration(python.state.q, python.state.nu)


class Counter(ff.Block):
    def declare(self, io):
        io.output("out", depends_on=[])
        io.discrete_states(1)
        io.sample_time(1e-3)

    def outputs(self, e):
        e["out"] = e.state

    def update(self, e):
        e.state = e.state + 1


class Gain(ff.Block):
    def __init__(self, factor):
        self.factor = factor

    def declare(self, io):
        io.input("in")
        io.output("out")

    def outputs(self, e):
        e["out"] = self.factor * e["in"]


class Integral(ff.Block):
    def declare(self, io):
        io.input("in")
        io.output("out", depends_on=[])
        io.continuous_states(1)
        io.sample_time(0)

    def outputs(self, e):
        e["out"] = e.continuous_state

    def derivatives(self, e):
        e.rate = e["in"]


def chain():
    builder = ff.DiagramBuilder()
    builder.add("count", Counter())
    builder.add("gain", Gain(3.0))
    builder.connect("count.out", "gain.in")
    return builder.build(step=1e-3)


def test_blocks_in_python_run_in_a_diagram():
    run = chain().start()
    signal = run.signal("gain.out")
    run.run(0.005)
    assert signal[0] == 12.0 and run.time == pytest.approx(0.005)
    kept = run.snapshot()
    run.run(0.005)
    assert signal[0] == 27.0
    run.restore(kept)
    run.step()
    assert signal[0] == 15.0


def test_matrices_go_in_and_come_out_in_their_own_shape(tmp_path):
    (tmp_path / "double.yaml").write_text(
        "inputs: {m: {type: matrix, size: [2, 3]}, v: {type: vector, size: 2}}\n"
        "outputs: {y: double, z: half}\n"
        "blocks: {double: {block: Gain, factor: 2}, half: {block: Gain, factor: 0.5}}\n"
        "connect: [m -> double, v -> half]\n"
    )
    run = ff.Diagram.load(tmp_path / "double.yaml").start()
    given = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    for layout in given, np.asfortranarray(given), given.astype(int), np.repeat(given, 2, axis=1)[:, ::2]:
        run.set_input("m", layout)
        run.set_input("v", [1.0, 2.0])
        run.run(1e-3)
        assert np.array_equal(run.signal("y"), 2 * given) and np.array_equal(run.signal("double.out"), 2 * given)
        assert np.array_equal(run.signal("z"), [0.5, 1.0])
        run.set_input("m", np.zeros((2, 3)))
    # As many numbers in another order are another matrix.
    with pytest.raises(ff.Error, match="array of 3 × 2, expected 2 × 3"):
        run.set_input("m", given.T)
    with pytest.raises(ff.Error, match="a row of numbers, expected an array of 2 × 3"):
        run.set_input("m", given.ravel())
    with pytest.raises(ff.Error, match="expected a finite number"):
        run.set_input("m", np.full((2, 3), np.nan))
    with pytest.raises(TypeError):
        run.set_input("v", np.zeros((2, 1)))


def test_continuous_states_of_python_blocks_are_integrated():
    builder = ff.DiagramBuilder()
    builder.input("u")
    builder.add("integral", Integral())
    builder.connect("u", "integral.in")
    run = builder.build(step=1e-2).start()
    run.set_input("u", [2.0])
    run.run(1.0)
    run.step()
    assert run.signal("integral.out")[0] == pytest.approx(2.0)


def test_errors_of_diagrams_name_the_blocks():
    builder = ff.DiagramBuilder()
    builder.add("gain", Gain(1.0))
    with pytest.raises(ff.Error, match="gain"):
        builder.build()
    with pytest.raises(ff.Error, match="no_such_kind"):
        builder.add("other", "no_such_kind")
    with pytest.raises(ff.Error, match="nowhere"):
        chain().start().signal("nowhere.out")


def test_errors_inside_of_a_block_reach_the_caller():
    class Broken(Counter):
        def outputs(self, e):
            e["out"] = [1.0, 2.0]

    builder = ff.DiagramBuilder()
    builder.add("broken", Broken())
    with pytest.raises(ff.Error, match="expected 1"):
        builder.build().start().step()


def test_signals_have_the_names_that_lines_use(tmp_path):
    """Outputs of sub-diagrams by their own names, and ports left out where a line leaves them out, also in logs."""
    path = tmp_path / "inside.yaml"
    path.write_text("""
subdiagrams:
  Twice:
    inputs: {u: {type: scalar}}
    outputs: {y: gain.out, unread: nowhere.out}
    blocks: {gain: {block: Gain, factor: 2}}
    connect: [u -> gain]
blocks:
  clock: Clock
  outer: {block: Twice}
  end: {block: Gain, factor: -1}
connect: [clock -> outer, outer.y -> end]
log: [outer.y, end, clock]
""")
    run = ff.Diagram.load(path).start()
    assert run.diagram.signals == ["clock.out", "outer.gain.out", "end.out"]
    run.run(0.01, log=tmp_path / "run.csv")
    assert run.signal("outer.y") == run.signal("outer.gain.out") == 2 * run.signal("clock")
    assert run.signal("end") == -run.signal("outer.y")
    log = ff.read_log(tmp_path / "run.csv")
    assert np.array_equal(log["end"], -log["outer.y"]) and log["outer.y"][-1] > 0
    with pytest.raises(ff.Error, match="no signal 'outer.z'"):
        run.signal("outer.z")


def test_the_diagram_of_a_scene_gives_the_bits_of_the_simulation():
    run = ff.Diagram.load("scenes/falling_box.yaml").start()
    run.run(0.3)
    simulation = ff.Simulation("scenes/falling_box.yaml")
    simulation.run(0.299)
    assert np.array_equal(run.signal("robot.q"), simulation.state.q)


def test_what_a_block_is_given_ends_with_the_call():
    """Who keeps it would look into memory of a run, or a block, that is gone."""
    kept = []

    class Keeper(ff.Block):
        def declare(self, io):
            kept.append(io)
            io.input("in")
            io.output("out")

        def outputs(self, e):
            kept.append(e)

    def run():
        builder = ff.DiagramBuilder()
        builder.add("keeper", Keeper())
        builder.add("one", "Constant", value=1.0)
        builder.connect("one.out", "keeper.in")
        builder.build().start().step()

    run()
    gc.collect()
    declaration, evaluation = kept[0], kept[-1]
    for use in (lambda: evaluation["in"], lambda: evaluation["nothing"], lambda: evaluation.__setitem__("out", 1.0),
                lambda: evaluation.time, lambda: evaluation.state):
        with pytest.raises(ff.Error, match="the evaluation is over"):
            use()
    for use in (lambda: declaration.input("more"), lambda: declaration.output("more"), lambda: declaration.sample_time(1.0),
                lambda: declaration.discrete_states(3), lambda: declaration.continuous_states(3)):
        with pytest.raises(ff.Error, match="its declaration is over"):
            use()


@pytest.mark.parametrize("name", ["", "a.b", "a b", "a\n"])
def test_ports_have_names_that_lines_can_name(name):
    for kind in "input", "output":
        class Odd(ff.Block):
            def declare(self, io):
                getattr(io, kind)(name)

        with pytest.raises(ff.Error, match=f"cannot be the name of an {kind}"):
            ff.DiagramBuilder().add("odd", Odd())


def test_a_part_without_its_method_says_which():
    class Unfinished(ff.Block):
        pass

    with pytest.raises(NotImplementedError, match=r"Unfinished has no declare\(\)"):
        ff.DiagramBuilder().add("unfinished", Unfinished())

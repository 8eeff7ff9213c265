"""Wrong types, sizes, numbers and moments: always an error that says what is wrong, never a crash, never a silent change."""

import os
import signal
import sys
import threading

import numpy as np
import pytest

import footfall as ff

QUADRUPED = "scenes/quadruped.yaml"


@pytest.fixture
def quadruped():
    return ff.Simulation(QUADRUPED)


# ---- numbers

@pytest.mark.parametrize("value", [None, "abc", ["1"] * 12, [1j] * 12, [None] * 12, np.zeros((12, 1)), np.zeros((1, 12))])
def test_what_is_no_row_of_numbers_is_a_type_error(quadruped, value):
    with pytest.raises(TypeError):
        quadruped.input.tau = value
    with pytest.raises(TypeError):
        quadruped.springs.target = value
    with pytest.raises(TypeError):
        quadruped.input.add_wrench("trunk", force=value)
    assert not quadruped.input.tau.any() and len(quadruped.input) == 0


@pytest.mark.parametrize("value", [[], [1.0], 0.0, np.zeros(10**6), np.full(12, np.nan), np.full(12, np.inf)])
def test_wrong_sizes_and_numbers_that_are_none_are_refused_whole(quadruped, value):
    for write in [lambda: setattr(quadruped.input, "tau", value), lambda: quadruped.input.add_wrench("trunk", value)]:
        with pytest.raises(ff.Error, match="expected"):
            write()
    assert not quadruped.input.tau.any() and len(quadruped.input) == 0


def test_arrays_of_any_layout_and_kind_of_number_are_read_as_they_are(quadruped):
    wanted = np.arange(12.0)
    backwards, every_second = wanted[::-1].copy()[::-1], np.repeat(wanted, 2)[::2]
    column = np.asfortranarray(np.tile(wanted, (3, 1)).T)[:, 1]
    for values in [backwards, every_second, column, wanted.astype(np.float32), wanted.astype(">f8"), wanted.astype(np.int8), list(wanted), tuple(wanted)]:
        quadruped.input.tau = 0.0 * wanted
        quadruped.input.tau = values
        assert np.array_equal(quadruped.input.tau, wanted)


@pytest.mark.parametrize("time", [np.nan, np.inf, -np.inf])
def test_a_time_is_finite(quadruped, time):
    with pytest.raises(ff.Error, match="time"):
        quadruped.state.time = time
    with pytest.raises(ff.Error, match="time"):
        quadruped.run(time)
    assert quadruped.time == 0.0


@pytest.mark.parametrize("array, where", [("q", "state"), ("nu", "state"), ("tau", "input"), ("target", "springs"), ("damping", "springs")])
def test_what_is_written_into_a_view_fails_the_step_and_is_mended_by_writing_again(quadruped, array, where):
    quadruped.run(0.01)
    good = quadruped.copy()
    view = getattr(getattr(quadruped, where), array)
    before = view.copy()
    view[-1] = np.nan
    assert not quadruped.step() and "not finite" in quadruped.describe_failure()
    view[:] = before
    quadruped.run(0.1)
    good.run(0.1)
    assert quadruped.state == good.state


@pytest.mark.parametrize("gains", ["stiffness", "damping"])
def test_negative_gains_are_refused_by_name(quadruped, gains):
    view = getattr(quadruped.springs, gains)
    before = view.copy()
    view[3] = -1.5
    with pytest.raises(ff.Error, match=f"springs.{gains}.*{quadruped.model.joint_names[3]}.*-1.5"):
        quadruped.step()
    view[:] = before
    assert quadruped.step()


def test_negative_gains_of_a_batch_fail_their_world_by_name():
    batch = ff.BatchSimulation(QUADRUPED, copies=3)
    batch.stiffness[1, 3] = -1.0
    batch.step()
    assert list(batch.failed) == [False, True, False]
    assert f"springs.stiffness: that of the joint '{batch.model.joint_names[3]}' is -1" in batch.describe_failure(1)


def test_negative_gains_of_a_diagram_are_refused_by_block_and_name():
    builder = ff.DiagramBuilder(scene=QUADRUPED)
    builder.add("robot", "Robot")
    builder.add("bus", "BusCreate", fields=["stiffness", "damping", "target"])
    for name, value in (("stiffness", 1.0), ("damping", -3.0), ("target", 0.0)):
        builder.add(name, "Constant", value=[value] * 12)
        builder.connect(f"{name}.out", f"bus.{name}")
    builder.connect("bus.out", "robot.springs")
    run = builder.build(step=1e-3).start()
    with pytest.raises(ff.Error, match="springs.damping: block 'robot'.*lf_haa.*-3"):
        run.run(0.01)


@pytest.mark.parametrize("options", [{"azimuth": np.nan}, {"elevation": np.inf}, {"distance": 0.0}, {"distance": -1.0}, {"distance": np.nan}, {"distance": 1e300},
                                     {"target": [0.0, np.nan, 0.0]}, {"target": [0.0, 0.0]}, {"target": [1e300] * 3}, {"width": 0}, {"height": 10**6}])
def test_pictures_that_are_none_are_refused(quadruped, options):
    with pytest.raises(ff.Error):
        quadruped.render(**options)


def test_a_picture_of_a_robot_that_is_nowhere_is_refused(quadruped):
    quadruped.state.q[0] = np.nan
    with pytest.raises(ff.Error, match="finite"):
        quadruped.render()


def test_an_engine_wants_a_rotation(quadruped):
    dynamics = ff.Dynamics(quadruped.model)
    q = quadruped.state.q.copy()
    for quaternion in ([0, 0, 0, 0], [0, 0, 0, 2]):
        q[3:7] = quaternion
        with pytest.raises(ff.Error, match="quaternion"):
            dynamics.update(q)


def test_a_model_is_locked_at_finite_positions():
    with pytest.raises(ff.Error, match="rf_kfe"):
        ff.Model("quadruped", joints=["lf_kfe"], positions={"rf_kfe": np.nan})


# ---- scenes

def test_scenes_may_hold_paths_and_numbers_of_numpy(tmp_path):
    model = tmp_path / "box.urdf"
    model.write_text((ff.data_dir() / "models" / "box.urdf").read_text())
    scene = {"robot": {"model": model, "base": {"position": np.array([0.0, 0.0, 2.0])}}, "physics": {"step": np.float32(0.5)}}
    simulation = ff.Simulation(scene, set={"physics.step": np.float64(2e-3), "physics.gravity": np.array([0, 0, -1])})
    assert (simulation.dt, simulation.model.gravity.tolist(), simulation.state.base_position[2]) == (2e-3, [0.0, 0.0, -1.0], 2.0)
    with pytest.raises(ff.Error, match="physics.step is nan, expected a finite number"):
        ff.Simulation(scene, set={"physics.step": np.nan})
    with pytest.raises(ff.Error, match="robot.base.position.1 is -inf, expected a finite number"):
        ff.Simulation({"robot": {"model": "box", "base": {"position": np.array([0.0, -np.inf, 1.0])}}})
    with pytest.raises(TypeError, match="no object"):
        ff.Simulation({"robot": object()})
    with pytest.raises(TypeError, match="dict"):
        ff.Simulation(scene, set=["physics.step=1"])


def test_files_are_named_by_paths_too(tmp_path, quadruped):
    quadruped.run(0.01)
    quadruped.state.save(tmp_path / "a.state")
    assert ff.State.load(tmp_path / "a.state", quadruped.model) == quadruped.state
    assert ff.Model(ff.data_dir() / "models" / "box.urdf").name == "box"
    ff.DiagramBuilder(scene=ff.data_dir() / "scenes" / "quadruped.yaml")


# ---- parts of the user's

@pytest.mark.parametrize("options", [{"contact_model": 5}, {"contact_model": ff.ContactModel}, {"integrator": 5}, {"integrator": ff.Integrator}])
def test_what_is_no_part_is_refused_at_once(options):
    with pytest.raises(TypeError, match="derives from"):
        ff.Simulation(QUADRUPED, **options)


@pytest.mark.parametrize("returned, kind", [(None, TypeError), ("a", TypeError), (np.zeros((18, 1)), TypeError), ([1.0], ff.Error), (np.full(18, np.nan), ff.Error)])
def test_a_force_field_that_returns_no_forces_is_named(quadruped, returned, kind):
    quadruped.set_force_field(lambda time, q, nu: returned)
    with pytest.raises(kind, match="force field"):
        quadruped.step()
    quadruped.set_force_field(None)
    assert quadruped.step()


@pytest.mark.parametrize("ask", [lambda sim: sim.dynamics, lambda sim: sim.set_force_field(None), lambda sim: sim.restore(sim.snapshot()),
                                 lambda sim: setattr(sim, "state", sim.state.copy()), lambda sim: sim.linearize(), lambda sim: sim.step()])
def test_a_force_field_cannot_change_the_step_that_it_is_called_in(quadruped, ask):
    """The engine of the step, say, would be at another configuration for the rest of it."""
    quadruped.run(0.01)
    before = quadruped.state.copy()
    quadruped.set_force_field(lambda time, q, nu: (ask(quadruped), np.zeros(18))[1])
    with pytest.raises(ff.Error, match="step"):
        quadruped.step()
    assert quadruped.state == before
    quadruped.set_force_field(None)
    assert quadruped.step()


def test_an_engine_that_is_kept_is_at_the_present_state(quadruped):
    dynamics = quadruped.dynamics
    start = dynamics.center_of_mass()
    quadruped.state.base_position[2] += 1.0
    assert dynamics.center_of_mass() - start == pytest.approx([0.0, 0.0, 1.0])
    quadruped.run(0.2)
    own = ff.Dynamics(quadruped.model)
    own.update(quadruped.state.q, quadruped.state.nu)
    assert np.array_equal(dynamics.center_of_mass(), own.center_of_mass())
    assert np.array_equal(dynamics.mass_matrix(), own.mass_matrix())
    quadruped.linearize()
    assert np.array_equal(dynamics.center_of_mass(), own.center_of_mass())


def test_a_controller_may_set_the_state_but_not_step(quadruped):
    start = quadruped.snapshot()
    quadruped.run(0.01, controller=lambda sim: sim.restore(start))
    assert quadruped.time == pytest.approx(0.001)
    for again in [lambda sim: sim.step(), lambda sim: sim.run(0.1)]:
        with pytest.raises(ff.Error, match="being stepped already"):
            quadruped.run(0.01, controller=again)
    quadruped.run(0.01)


# ---- threads and Ctrl-C

def while_stepping(thing, run, ask):
    """What a second thread gets while a first one is in the middle of run()."""
    inside, asked, errors = threading.Event(), threading.Event(), []

    def wait(*_):
        inside.set()
        asked.wait(20)

    def other():
        inside.wait(20)
        try:
            ask()
        except ff.Error as error:
            errors.append(str(error))
        asked.set()

    thread = threading.Thread(target=other)
    thread.start()
    run(wait)
    thread.join()
    return errors


@pytest.mark.parametrize("ask", [lambda sim: sim.step(), lambda sim: sim.run(0.1), lambda sim: sim.restore(b""), lambda sim: sim.dynamics, lambda sim: sim.linearize(),
                                 lambda sim: sim.input.add_wrench("trunk", [1, 0, 0]), lambda sim: sim.input.clear_wrenches(), lambda sim: sim.result.contacts,
                                 lambda sim: setattr(sim, "state", sim.state), lambda sim: sim.set_force_field(None)])
def test_another_thread_cannot_disturb_a_run(quadruped, ask):
    errors = while_stepping(quadruped, lambda wait: quadruped.run(0.001, controller=wait), lambda: ask(quadruped))
    assert len(errors) == 1 and "another thread" in errors[0]
    quadruped.run(0.01)


class Waiting(ff.Block):
    def __init__(self, wait):
        self.wait = wait

    def declare(self, io):
        io.output("out", depends_on=[])

    def outputs(self, e):
        self.wait()
        e["out"] = 1.0


def test_another_thread_cannot_disturb_a_diagram():
    for ask in [lambda run: run.step(), lambda run: run.restore(b""), lambda run: run.set_input("u", 1.0)]:
        box = []

        def go(wait):
            builder = ff.DiagramBuilder()
            builder.input("u")
            builder.add("waiting", Waiting(wait))
            box.append(builder.build().start())
            box[0].run(0.001)

        errors = while_stepping(None, go, lambda: ask(box[0]))
        assert len(errors) == 1 and "another thread" in errors[0]


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs signals")
@pytest.mark.parametrize("kind", ["simulation", "diagram", "batch"])
def test_ctrl_c_ends_a_run_that_would_last_for_ever(kind, quadruped, tmp_path):
    runs = {
        "simulation": lambda: quadruped.run(1e300, log=tmp_path / "run.csv"),
        "diagram": lambda: ff.Diagram.load(QUADRUPED).start().run(1e300),
        "batch": lambda: ff.BatchSimulation(QUADRUPED, copies=8, threads=1).step(2**31 - 1),
    }
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        runs[kind]()
    timer.join()
    if kind == "simulation":
        assert len(ff.read_log(tmp_path / "run.csv")) == round(1e3 * quadruped.time) + 1
        assert quadruped.step()


# ---- batches

def test_a_mask_is_true_or_false():
    """Numbers of worlds, taken as flags, would start other worlds anew."""
    batch = ff.BatchSimulation(QUADRUPED, copies=2)
    for mask in ([0, 1], [1.0, 0.0], "ab", [[True, False]]):
        with pytest.raises(TypeError, match="true or false"):
            batch.reset(mask)
    batch.reset([True, False])


def test_friction_below_zero_fails_its_world_and_says_why():
    batch = ff.BatchSimulation(QUADRUPED, copies=3)
    batch.friction[1] = -0.5
    batch.step()
    assert batch.failed.tolist() == [False, True, False]
    assert "friction" in batch.describe_failure(1)


def test_a_call_of_many_steps_keeps_the_worst_status():
    batch = ff.BatchSimulation(QUADRUPED, copies=20_000, auto_reset=True)  # more than one portion a call
    batch.tau[7] = np.nan
    batch.step(3)
    assert batch.failed.nonzero()[0].tolist() == [7] and batch.auto_resets[7] == 3


# ---- diagrams

BLOCKS = """
import footfall as ff

class Base(ff.Block):
    def declare(self, io):
        io.output("out", depends_on=[])

class RaisesWhenMade(Base):
    def __init__(self):
        raise RuntimeError("not today")

class DeclaresNothing(ff.Block):
    pass

class Twice(ff.Block):
    def declare(self, io):
        io.output("out")
        io.output("out")

class Huge(ff.Block):
    def declare(self, io):
        io.output("out", 2**31 - 1)

class Negative(Base):
    def declare(self, io):
        io.discrete_states(-1)

class NotANumber(Base):
    def outputs(self, e):
        e["out"] = float("nan")

class RaisesWhenRun(Base):
    def outputs(self, e):
        raise KeyError("not today")
"""


@pytest.fixture
def diagram(tmp_path, monkeypatch):
    (tmp_path / "misused_blocks.py").write_text(BLOCKS)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "misused_blocks", raising=False)

    def run(block):
        (tmp_path / "d.yaml").write_text(f"blocks:\n  other: Clock\n  mine: {{block: \"python:{block}\"}}\n")
        ff.Diagram.load(tmp_path / "d.yaml").start().step()

    return run


@pytest.mark.parametrize("block, reason", [("misused_blocks.RaisesWhenMade", "RuntimeError: not today"), ("misused_blocks.DeclaresNothing", "NotImplementedError"),
                                           ("misused_blocks.Absent", "AttributeError"), ("no_such_module.Block", "ModuleNotFoundError"),
                                           ("misused_blocks.Twice", "two outputs 'out'"), ("misused_blocks.Huge", "1000000"), ("misused_blocks.Negative", "-1")])
def test_a_block_of_python_that_cannot_be_made_has_file_and_line(diagram, block, reason):
    with pytest.raises(ff.Error, match=f"d.yaml:3: (?s:.*){reason}"):
        diagram(block)


def test_what_a_block_of_python_raises_reaches_the_caller(diagram):
    with pytest.raises(KeyError, match="not today"):
        diagram("misused_blocks.RaisesWhenRun")
    with pytest.raises(ff.Error, match="out: entry 0 is nan"):
        diagram("misused_blocks.NotANumber")


@pytest.mark.parametrize("value", [None, object(), 1j, {"a": None}, [1, None]])
def test_parameters_of_blocks_are_what_a_file_could_say(value):
    with pytest.raises(TypeError, match="'value'"):
        ff.DiagramBuilder().add("block", "Constant", value=value)


def test_blocks_and_inputs_that_are_none_are_refused():
    builder = ff.DiagramBuilder()
    for block in (5, ff.Block, object()):
        with pytest.raises(TypeError, match="footfall.Block"):
            builder.add("block", block)
    with pytest.raises(ff.Error, match="not a number"):
        builder.add("block", "Constant", value=np.nan)
    for size in (0, -1, 2**31 - 1):
        with pytest.raises(ff.Error, match="size"):
            builder.input("u", size)


def test_a_run_that_a_block_stops_says_so_aloud(tmp_path):
    file = tmp_path / "d.yaml"
    file.write_text("blocks:\n  t: Clock\n  late: {block: Compare, operation: '>', value: 0.0025}\n  end: {block: StopWhen, reason: enough}\n"
                    "connect: [t -> late.a, late -> end]\n")
    run = ff.Diagram.load(file).start()
    with pytest.warns(RuntimeWarning, match="enough"):
        assert run.run(0.01) is False
    assert run.stop_reason == "enough" and run.time == pytest.approx(0.003)
    assert run.step() is False


def test_names_that_a_simulation_does_not_know_are_not_set(box):
    for name in ("gravity", "stat"):
        with pytest.raises(AttributeError, match=name):
            setattr(box, name, 1.0)


def test_names_that_a_batch_does_not_know_are_not_set():
    batch = ff.BatchSimulation(QUADRUPED, copies=2)
    with pytest.raises(AttributeError):
        batch.fricton = 1.0


def test_points_of_a_height_scan_have_two_numbers():
    batch = ff.BatchSimulation(QUADRUPED, copies=2)
    with pytest.raises(ff.Error, match=r"shape \(1, 3\), expected \(points, 2\)"):
        batch.height_scan([[0.0, 0.0, 1.0]])


def test_an_axis_belongs_to_hinges_and_sliders(box):
    for joint in ("ball", "weld"):
        with pytest.raises(ff.Error, match=f"axis: it is given, but a {joint} has none"):
            box.tie("box", "world", joint=joint, axis=[1, 0, 0])
    with pytest.raises(ff.Error, match="did you mean 'world'"):
        box.tie("box", "wrld")
    box.tie("box", "world", joint="hinge", axis=[1, 0, 0])


def test_a_force_field_is_a_function(box):
    with pytest.raises(TypeError, match="force field is 3"):
        box.set_force_field(3)
    box.set_force_field(None)


def test_a_block_has_one_condition_and_only_rk45_a_tolerance():
    builder = ff.DiagramBuilder()
    builder.add("a", "Constant", value=1)
    builder.add("b", "Constant", value=1)
    builder.when("a", "b.out")
    with pytest.raises(ff.Error, match="two conditions"):
        builder.when("a", "b.out", on="rises")
    with pytest.raises(ff.Error, match="the solver is 'rk4'"):
        builder.build(tolerance=1e-3)
    builder.build(solver="rk45", tolerance=1e-3)


def test_an_engine_that_is_not_there_gets_the_nearest(box):
    with pytest.raises(ff.Error, match="no engine 'natve'(.|\n)*did you mean 'native'"):
        ff.Dynamics(box.model, engine="natve")


# ---- what is returned, and goes nowhere

def test_a_controller_that_returns_its_torques_is_told(quadruped):
    before = quadruped.time
    with pytest.raises(TypeError, match=r"the controller returns \[.*expected None: .*sim.input.tau"):
        quadruped.run(0.01, controller=lambda sim: [1.0] * 12)
    assert quadruped.time == before


@pytest.mark.parametrize("method", ["declare", "outputs", "update", "initialize"])
def test_a_block_that_returns_its_outputs_is_told(method):
    class Block(ff.Block):
        def declare(self, io):
            io.output("out")
            io.discrete_states(1)
            return 1.0 if method == "declare" else None

        def initialize(self, e):
            return 1.0 if method == "initialize" else None

        def outputs(self, e):
            return 1.0 if method == "outputs" else None

        def update(self, e):
            return 1.0 if method == "update" else None

    with pytest.raises((TypeError, ff.Error), match=rf"{method}\(\) of the block returns 1.0, expected None"):
        builder = ff.DiagramBuilder()
        builder.add("mine", Block())
        builder.build(step=1e-3).start().step()


# ---- snapshots

def test_a_snapshot_with_another_bit_is_refused(quadruped):
    snapshot = bytearray(quadruped.snapshot())
    before = quadruped.state.q.copy()
    for place in (14, 300, len(snapshot) - 1):
        snapshot[place] ^= 1
        with pytest.raises(ff.Error, match="check sum"):
            quadruped.restore(bytes(snapshot))
        snapshot[place] ^= 1
    assert np.array_equal(quadruped.state.q, before)
    quadruped.restore(bytes(snapshot))


def test_a_snapshot_of_a_diagram_with_another_bit_is_refused():
    builder = ff.DiagramBuilder()
    builder.add("clock", "Clock")
    run = builder.build().start()
    snapshot = bytearray(run.snapshot())
    snapshot[-1] ^= 1
    with pytest.raises(ff.Error, match="check sum"):
        run.restore(bytes(snapshot))


# ---- names of what was given

@pytest.mark.parametrize("make", [ff.Simulation, lambda scene, set: ff.BatchSimulation(scene, copies=1, set=set)])
def test_a_changed_key_is_called_as_it_was_given(make):
    with pytest.raises(ff.Error) as error:
        make(QUADRUPED, set={"physics.step": -1})
    assert str(error.value).startswith("set physics.step=-1: physics.step is -1")


def test_joints_have_items(quadruped):
    joint = quadruped.state.joint
    assert dict(joint.items()) == joint.to_dict() and list(joint.items())[0][0] == joint.keys()[0]

"""Stepping, views, errors: what everybody touches first."""

import copy
import gc
import pickle
import subprocess
import threading
import warnings
import weakref

import numpy as np
import pytest

import footfall as ff


def test_views_show_the_present_state_without_copying(box):
    q = box.state.q
    before = q.copy()
    box.run(0.1)
    assert not np.array_equal(q, before)
    assert np.shares_memory(q, box.state.q)


def test_writing_into_a_view_moves_the_robot(biped):
    biped.state.joint["l_knee"] = 0.7
    assert biped.state.q[7 + biped.model.joint_names.index("l_knee")] == 0.7


def test_a_view_keeps_its_simulation_alive():
    simulation = ff.Simulation("scenes/falling_box.yaml")
    owner = weakref.ref(simulation)
    q = simulation.state.q
    contacts = simulation.step().contacts
    del simulation
    gc.collect()
    assert owner() is not None and np.isfinite(q).all() and len(contacts) == 0
    del q, contacts
    gc.collect()
    assert owner() is None


def test_contacts_have_named_fields_and_carry_the_weight():
    simulation = ff.Simulation("scenes/falling_box.yaml")
    simulation.run()
    contacts = simulation.result.contacts
    weight = simulation.model.mass * 9.81
    assert contacts.force_W[:, 2].sum() == pytest.approx(weight, rel=1e-6)
    for contact in contacts:  # the rows of R_CW are the contact's axes
        assert contact.R_CW.T @ contact.force_C == pytest.approx(contact.force_W)
    assert simulation.model.candidate_names[contacts.candidate[0]].startswith(("box", "sole"))
    assert np.linalg.norm(simulation.result.soles.wrench_F[:, :3].sum(axis=0)) == pytest.approx(weight, rel=1e-6)


def test_contacts_say_who_touches_whom():
    scene = {
        "robot": {"model": "box", "base": {"position": [0, 0, 0.1]}},
        "contacts": [{"frame": "all", "collision": True}],
        "bodies": [{"name": "lid", "shape": "box", "size": [0.1, 0.1, 0.02], "mass": 2, "position": [0, 0, 0.21]}],
    }
    simulation = ff.Simulation(scene)
    simulation.run(0.1)
    contacts, names = simulation.result.contacts, simulation.model.frame_names
    ground, pair = contacts[contacts.other < 0], contacts[contacts.other >= 0]
    assert len(ground) > 0 and len(pair) > 0
    assert {names[f] for f in ground.frame} == {"box"}
    assert all(simulation.model.candidate_names[c].startswith("box") for c in ground.candidate)
    assert {frozenset((names[c.frame], names[c.other])) for c in pair} == {frozenset(("box", "lid"))}
    assert (pair.candidate == -1).all()
    on_the_lid = sum(c.force_W[2] if names[c.frame] == "lid" else -c.force_W[2] for c in pair)
    assert on_the_lid == pytest.approx(2 * 9.81)


def test_states_that_can_be_changed_are_no_keys(biped):
    with pytest.raises(TypeError, match="unhashable"):
        {biped.state.copy()}


def test_restored_states_go_on_bit_for_bit(biped):
    biped.run(0.2)
    kept = pickle.loads(pickle.dumps(biped.state))
    assert kept == biped.state
    biped.run(0.3)
    end = biped.state.copy()
    fresh = ff.Simulation("scenes/biped_rod_ankles.yaml")
    fresh.state = kept
    fresh.run(0.3)
    assert fresh.state == end and np.array_equal(fresh.state.q, end.q)


def robot_of(model):
    """A box and a ball have as many numbers."""
    return ff.Simulation({"robot": {"model": model, "base": {"position": [0, 0, 1]}}, "contacts": [{"frame": model}]})


def test_states_of_another_robot_of_the_same_size_are_refused(tmp_path):
    box, ball = robot_of("box"), robot_of("sphere")
    ball.run(0.1)
    before = box.state.copy()
    ball.state.save(tmp_path / "ball.state")
    for arrive in [
        lambda: setattr(box, "state", ball.state),
        lambda: setattr(box, "state", ball.state.copy()),
        lambda: setattr(box, "state", pickle.loads(pickle.dumps(ball.state))),
        lambda: box.restore(ball.snapshot()),
        lambda: ff.State.load(tmp_path / "ball.state", box.model),
    ]:
        with pytest.raises(ff.Error, match="this state is of the robot 'sphere', not of 'box'"):
            arrive()
    assert box.state == before
    again = robot_of("sphere")
    again.state = ff.State.load(tmp_path / "ball.state", again.model)
    assert again.state == ball.state


def test_the_robot_in_a_diagram_refuses_states_of_another_one(tmp_path):
    def run_of(model):
        scene = tmp_path / f"{model}.yaml"
        scene.write_text(f"robot: {{model: {model}}}\ncontacts: [{{frame: {model}}}]\n")
        builder = ff.DiagramBuilder(scene=scene)
        builder.add("robot", "Robot")
        return builder.build(step=1e-3).start()

    box, ball = run_of("box"), run_of("sphere")
    with pytest.raises(ff.Error, match="of the robot 'sphere', not of 'box'"):
        box.state = ball.state
    with pytest.raises(ff.Error, match="of the robot 'sphere', not of 'box'"):
        box.restore(ball.snapshot())


def test_a_pickled_state_of_before_that_does_not_know_its_robot_is_read():
    kept = robot_of("sphere").state.copy()
    packed = kept.__getstate__()
    old = ff.State.__new__(ff.State)
    old.__setstate__(packed[:-1])
    ball = robot_of("sphere")
    ball.state = old
    assert ball.state == kept


def test_files_of_states_tell_why_they_cannot_be_read_or_written(tmp_path):
    box = robot_of("box")
    with pytest.raises(ff.LogError, match="the state cannot be written: No such file"):
        box.state.save(tmp_path / "nowhere" / "a.state")
    with pytest.raises(ff.Error, match="the state cannot be read: Is a directory"):
        ff.State.load(tmp_path, box.model)


def test_code_moves_prescribed_joints_that_have_no_law():
    scene = {"robot": {"model": "rr_arm", "base": {"fixed": True}, "initial": {"shoulder": 0.5}},
             "prescribed": [{"joint": "shoulder"}]}
    arm = ff.Simulation(scene)
    assert arm.input.position[0] == 0.5

    def sway(simulation):
        end = simulation.time + simulation.dt
        simulation.input.position[0], simulation.input.velocity[0] = 0.5 * np.cos(end), -0.5 * np.sin(end)

    arm.run(0.2, controller=sway)
    assert arm.state.joint["shoulder"] == pytest.approx(0.5 * np.cos(0.2), abs=1e-15)
    assert arm.state.joint_velocity["shoulder"] == pytest.approx(-0.5 * np.sin(0.2), abs=1e-15)
    # A copy goes on with what was asked for last.
    other = pickle.loads(pickle.dumps(arm))
    for simulation in arm, other:
        simulation.step()
    assert other.state == arm.state and np.array_equal(other.input.velocity, arm.input.velocity)


def test_snapshots_hold_sensors_too():
    scene = {
        "robot": {"model": "box", "base": {"position": [0, 0, 1]}},
        "contacts": [{"frame": "sole", "radius": 0.01}],
        "sensors": [{"type": "imu", "name": "imu", "frame": "box", "noise": {"acceleration": 0.1}}],
    }
    simulation = ff.Simulation(scene)
    simulation.run(0.05)
    kept = simulation.snapshot()
    simulation.run(0.05)
    expected = simulation.read("imu.acceleration")
    simulation.restore(kept)
    simulation.run(0.05)
    time, values = simulation.read("imu.acceleration")
    assert time == expected[0] and np.array_equal(values, expected[1])


def test_files_of_the_command_and_of_python_are_the_same(command, tmp_path, biped):
    state = tmp_path / "end.state"
    subprocess.run(
        [command, "run", "scenes/biped_rod_ankles.yaml", "--duration", "0.5", "--save-state", state, "--quiet"], check=True)
    biped.run(0.5)
    assert ff.State.load(str(state), biped.model) == biped.state
    biped.state.save(str(tmp_path / "python.state"))
    assert (tmp_path / "python.state").read_bytes() == state.read_bytes()


def test_a_step_loop_gives_the_bits_of_run(biped):
    other = ff.Simulation("scenes/biped_rod_ankles.yaml")
    for _ in range(300):
        assert biped.step()
    other.run(0.3)
    assert biped.state == other.state


def test_a_controller_is_called_before_each_step(biped):
    times = []
    biped.run(0.005, controller=lambda sim: times.append(sim.time))
    assert times == pytest.approx([0.0, 0.001, 0.002, 0.003, 0.004])


def test_a_run_with_a_controller_writes_the_log_of_what_it_did(box, tmp_path):
    def lift(sim):
        sim.input.clear_wrenches()
        sim.input.add_wrench("box", force=[0, 0, 2 * 9.81 * sim.model.mass])

    box.run(0.01, controller=lift, log=tmp_path / "run.csv")
    assert box.state.nu[2] == pytest.approx(9.81e-2, rel=1e-6)
    assert len((tmp_path / "run.csv").read_text().splitlines()) > 10
    with pytest.raises(ZeroDivisionError):
        box.run(0.01, controller=lambda sim: 1 / 0, log=tmp_path / "broken.csv")
    assert (tmp_path / "broken.csv").exists()
    box.step()  # and the simulation can be used


def test_contacts_that_are_kept_stay_as_they_were(biped):
    biped.run(0.5)
    kept = biped.result.contacts
    before = kept.copy()
    assert len(before) > 0
    biped.state.base_position[2] += 1.0
    biped.step()
    assert len(biped.result.contacts) == 0
    assert np.array_equal(kept, before)


def test_a_quaternion_of_zeros_is_refused(box):
    box.state.q[3:7] = 0.0
    with pytest.raises(ff.Error, match="quaternion"):
        box.step()


def test_what_did_not_fail_is_not_described_as_a_failure(box):
    box.step()
    assert "did not fail" in box.describe_failure()


def test_a_scene_may_be_a_text_of_one_line(tmp_path, monkeypatch):
    assert ff.Simulation("robot: {model: box, base: {position: [0, 0, 2]}}").state.base_position[2] == 2.0
    # A file whose name looks like one is a file.
    monkeypatch.chdir(tmp_path)
    (tmp_path / "robot: new.yaml").write_text("robot: {model: box, base: {position: [0, 0, 3]}}")
    assert ff.Simulation("robot: new.yaml").state.base_position[2] == 3.0


def test_a_scene_with_a_diagram_is_refused():
    with pytest.raises(ff.Error, match="has a diagram"):
        ff.Simulation("scenes/icub_balancing.yaml")


def test_torques_and_wrenches_arrive(box):
    box.input.add_wrench("box", force=[0, 0, 2 * 9.81 * box.model.mass])
    box.step()
    assert box.state.nu[2] == pytest.approx(9.81e-3, rel=1e-6)
    box.input.clear_wrenches()
    assert len(box.input) == 0


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda s: ff.Simulation("no_such_scene.yaml"), "no_such_scene.yaml"),
        (lambda s: ff.Simulation({"robot": {"modle": "box"}}), "modle is not a known key"),
        (lambda s: ff.Simulation("robot: {model: no_such_robot}\n"), "no_such_robot"),
        (lambda s: ff.Model("no_such_robot.urdf"), "no_such_robot"),
        (lambda s: setattr(s.input, "tau", [1.0, 2.0]), "expected 22"),
        (lambda s: setattr(s.input, "tau", [np.nan] * 22), "finite"),
        (lambda s: setattr(s.state, "q", [0.0] * 3), "expected 29"),
        (lambda s: setattr(s, "state", ff.Simulation("scenes/falling_box.yaml").state), "of the robot .box., not of"),
        (lambda s: s.state.joint["l_kne"], "l_knee"),
        (lambda s: s.model.frame("l_sol"), "l_sole"),
        (lambda s: s.input.add_wrench("pelvis", force=[0, 0, np.inf]), "finite"),
        (lambda s: s.result.sole("nowhere"), "nowhere"),
        (lambda s: s.dynamics.update([0.0]), "expected 29"),
        (lambda s: ff.Dynamics(s.model).mass_matrix(), "update"),
        (lambda s: s.run(-1.0), "zero or more"),
        (lambda s: s.run(float("nan")), "zero or more"),
        (lambda s: s.restore(b"nonsense"), "snapshot"),
        (lambda s: s.read("no.sensor"), "no.sensor"),
    ],
)
def test_bad_calls_raise_footfalls_message(biped, call, message):
    with pytest.raises(ff.Error, match=message) as caught:
        call(biped)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("call", [
    lambda s: setattr(s.state, "q", "text"),
    lambda s: setattr(s.input, "tau", [[1.0], [2.0]]),
    lambda s: ff.Simulation(3),
    lambda s: s.model.frame(4),
    lambda s: setattr(s, "state", None),
])
def test_wrong_types_raise_type_errors(biped, call):
    with pytest.raises(TypeError):
        call(biped)


def test_numbers_that_are_not_finite_fail_as_a_value_and_keep_the_state(biped):
    biped.input.tau[0] = np.nan
    before = biped.state.copy()
    result = biped.step()
    assert not result and result.status == ff.SolveStatus.failed
    assert biped.state == before
    with pytest.raises(ff.RunFailed, match="not finite"):
        biped.run(0.1)


def test_other_threads_run_while_a_simulation_steps(biped):
    """The GIL is released: a second thread makes progress during one long run()."""
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    biped.run(2.0)
    during = counted[0]
    done.set()
    thread.join()
    assert during > 1000  # with the GIL held it would hang at the handful that fit before the run


def test_two_threads_cannot_step_one_simulation(biped):
    errors = []

    def run():
        try:
            biped.run(1.0)
        except ff.Error as error:
            errors.append(str(error))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(errors) <= 1 and all("another thread" in error for error in errors)
    assert biped.time == pytest.approx(1.0 if errors else 2.0)


def test_a_loop_until_a_time_makes_a_whole_number_of_steps(box):
    steps = 0
    while box.time < 2.0:
        box.step()
        steps += 1
    assert steps == 2000 and box.time == 2.0
    box.state.time = 0.7
    box.step()
    assert box.time == 0.701


def test_a_loop_that_nobody_watches_ends_at_a_failed_step(box):
    box.input.add_wrench("box", force=[0, 0, 0], moment=[1e200, 2e200, 0])
    with pytest.raises(ff.Error, match="not finite"):
        while box.time < 0.1:
            box.step()
    with pytest.raises(ff.RunFailed):
        box.run(0.1)
    box.input.clear_wrenches()
    box.run(0.1)


def test_a_field_of_forces_is_asked_within_a_step():
    scene = {"robot": {"model": "sphere"}, "hold": {"enabled": False}}
    simulation = ff.Simulation(scene, set={"physics.integrator": "rk4", "physics.gravity": "[0, 0, 0]"})
    times = []

    def field(time, q, nu):
        times.append(time)
        return [np.cos(3.0 * time), 0, 0, 0, 0, 0]

    simulation.set_force_field(field)
    simulation.run(1.0)
    assert simulation.state.nu[0] == pytest.approx(np.sin(3.0) / 3.0, abs=1e-13)
    assert 0.0005 in times  # the middle of the first step
    simulation.set_force_field(lambda time, q, nu: [0.0])
    with pytest.raises(ff.Error, match="force field"):
        simulation.step()


def test_scenes_give_velocities_torques_and_springs():
    simulation = ff.Simulation(
        {
            "robot": {"model": "rr_arm", "base": {"fixed": True}, "initial_velocity": {"elbow": "90 deg/s"}},
            "hold": {"enabled": False},
            "torques": {"shoulder": 2.0},
            "springs": [{"from": {"link": "world"}, "to": {"link": "tip"}, "stiffness": 10, "rest_length": "1 m"}],
        }
    )
    assert simulation.state.joint_velocity["elbow"] == pytest.approx(np.pi / 2)
    assert simulation.step().joint_torque[0] == pytest.approx(2.0)


def test_a_copy_and_a_pickle_go_on_bit_for_bit():
    simulation = ff.Simulation("scenes/quadruped.yaml")
    simulation.run(0.2)
    simulation.input.add_wrench(simulation.model.link_names[0], force=[20.0, 0.0, 0.0])
    simulation.springs.target[0] += 0.1
    others = [simulation.copy(), copy.copy(simulation), copy.deepcopy(simulation), pickle.loads(pickle.dumps(simulation))]
    simulation.run(0.3)
    for other in others:
        other.run(0.3)
        assert other.snapshot() == simulation.snapshot()
    assert np.abs(simulation.state.nu).max() > 0.0


def same_numbers(a, b):
    """The same bits; records field by field, because what lies between the fields is nothing."""
    if a.dtype.names:
        return all(same_numbers(a[name], b[name]) for name in a.dtype.names)
    return a.tobytes() == b.tobytes()


def test_copies_and_pickles_of_a_result_are_not_changed_by_later_steps():
    simulation = ff.Simulation("scenes/quadruped.yaml")
    result = simulation.run(0.2)
    fields = ["soles", "loop_wrenches", "joint_torque", "limit_torque", "friction_torque", "nu_dot", "q_forces", "nu_forces",
              "drive_torque", "drive_impulse", "loop_impulses"]
    before = {name: getattr(result, name).copy() for name in fields}
    contacts = result.contacts
    plain = {name: getattr(result, name) for name in ["status", "impact", "iterations", "residual", "solves", "solver_steps", "loop_gap"]}
    others = [result.copy(), copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result))]
    sole = simulation.model.frame_names[result.soles[0].frame]
    simulation.input.add_wrench(simulation.model.link_names[0], force=[20.0, 0.0, 0.0])
    simulation.run(0.1)
    assert not same_numbers(result.nu_dot, before["nu_dot"])  # the original shows the newest step
    for other in others:
        assert type(other) is ff.StepResult
        assert all(same_numbers(getattr(other, name), value) for name, value in before.items())
        assert all(getattr(other, name) == value for name, value in plain.items())
        assert len(contacts) > 0 and same_numbers(other.contacts, contacts)
        assert np.array_equal(other.sole(sole).wrench_F, before["soles"][0].wrench_F)
        with pytest.raises(ff.Error, match="contact points"):
            other.sole("no_such_sole")
        assert bool(other)


def test_a_result_outlives_its_simulation():
    result = ff.Simulation("scenes/falling_box.yaml").run(0.6).copy()
    assert len(result.contacts) > 0 and result.soles[0].wrench_F[2] > 0.0


def test_what_is_no_pickle_of_a_result_is_refused():
    result = ff.Simulation("scenes/falling_box.yaml").run(0.1)
    rebuild, arguments, packed = result.__reduce_ex__(2)[:3]
    for wrong in [(), packed[:5] + (b"x",) + packed[6:], packed[:6] + (["a", "b"],) + packed[7:]]:
        with pytest.raises(ff.Error, match="pickle"):
            ff.StepResult.__new__(ff.StepResult).__setstate__(wrong)


def test_a_linear_system_pickles():
    system = ff.Simulation("scenes/quadruped.yaml").linearize()
    other = pickle.loads(pickle.dumps(system))
    assert all(same_numbers(getattr(other, name), getattr(system, name)) for name in "ABCD")
    assert (other.states, other.inputs, other.outputs, other.dt) == (system.states, system.inputs, system.outputs, system.dt)


def test_further_bodies_have_a_row_each():
    scene = {"bodies": [{"name": "ball", "shape": "sphere", "radius": 0.1, "position": [0, 0, 1], "copies": [[0, 0, 0], [1, 0, 0], [2, 0, 0]], "velocity": [0, 3, 0]}]}
    simulation = ff.Simulation(scene)
    assert simulation.model.bodies == ["ball_0", "ball_1", "ball_2"]
    assert simulation.state.bodies.shape == (3, 7) and simulation.state.body_velocities.shape == (3, 6)
    assert simulation.state.bodies[:, 0].tolist() == [0.0, 1.0, 2.0] and (simulation.state.body_velocities[:, 1] == 3.0).all()
    simulation.state.bodies[2, 2] = 5.0  # a view
    assert simulation.state.q[-5] == 5.0
    assert ff.Simulation("scenes/falling_box.yaml").state.bodies.shape == (0, 7)


def test_results_tell_the_order_of_their_step(box):
    orders = set()
    while box.time < 1.0:
        result = box.step()
        assert result.order == 1 if result.impact else result.order >= 1
        orders.add(result.order)
    assert orders == {1, 2} and box.result.copy().order == box.result.order
    assert pickle.loads(pickle.dumps(box.result)).order == box.result.order


def test_what_is_suspicious_about_a_scene_is_a_warning():
    with pytest.warns(UserWarning, match="nothing of the robot touches the ground"):
        simulation = ff.Simulation("robot: {model: box}")
    assert len(simulation.warnings) == 1


def test_a_result_before_the_first_step_says_so():
    simulation = ff.Simulation("scenes/quadruped.yaml")
    with pytest.raises(ff.Error, match="no step was made"):
        simulation.result.sole("lf_foot")
    assert simulation.step().sole("lf_foot").wrench_F.shape == (6,)


def test_what_prescribed_joints_take_is_part_of_the_result():
    simulation = ff.Simulation({
        "robot": {"model": "cart_pole", "base": {"fixed": True}},
        "prescribed": [{"joint": "pole", "sine": {"amplitude": 0.5, "frequency": "1 Hz"}}],
    })
    result = simulation.run(0.5)
    dof = simulation.model.joint_names.index("pole")
    assert abs(result.drive_torque[dof]) > 1e-3 and result.drive_impulse.shape == result.drive_torque.shape
    assert result.loop_impulses.shape == (0, 6)


def test_motions_from_code_need_their_velocity_and_a_joint_that_follows():
    scene = {"robot": {"model": "cart_pole", "base": {"fixed": True}}, "prescribed": [{"joint": "cart"}]}
    cart = ff.Simulation(scene)
    cart.input.position[0] = 0.002
    with pytest.raises(ff.Error, match="input.velocity: that of the joint 'cart' has been zero .* from 0 to 0.002 m"):
        cart.step()
    cart.input.velocity[0] = 1.0
    assert cart.step() and cart.time == cart.dt
    cart.input.position[1] = 0.5
    with pytest.raises(ff.Error, match="input.position: that of the joint 'pole' is 0.5, but the joint is not prescribed"):
        cart.run(0.1)


def test_a_state_that_is_written_into_the_ground_is_told_once_with_names_and_depths():
    told = ff.Simulation("scenes/quadruped.yaml")
    told.state.q[2] -= 0.5
    with pytest.warns(UserWarning, match=r"'.f_foot\[0\]' is 500 mm inside the ground") as warned:
        told.step()
    assert len(warned) == 1 and warned[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        told.run(0.01)  # no further state was written
    kept = told.state.copy()
    kept.q[2] -= 0.1
    told.state = kept
    with pytest.warns(UserWarning, match="inside the ground") as warned:
        told.run(0.01)
    assert len(warned) == 1 and warned[0].filename == __file__


def test_bodies_that_are_written_into_each_other_are_told_by_their_names():
    cubes = ff.Simulation({"bodies": [
        {"name": name, "shape": "box", "size": [0.2, 0.2, 0.2], "mass": 1, "position": [0, 0, z]} for name, z in [("a", 0.1), ("b", 0.3)]]})
    cubes.state.bodies[1][2] = 0.25
    with pytest.warns(UserWarning, match="'a' is 50 mm inside 'b'|'b' is 50 mm inside 'a'"):
        cubes.step()


def test_states_of_runs_come_back_without_a_word():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        simulation = ff.Simulation("scenes/quadruped.yaml")
        simulation.run(0.2)
        kept, bytes_of_it = simulation.state.copy(), simulation.snapshot()
        simulation.run(0.1)
        simulation.state = kept
        simulation.run(0.1)
        simulation.restore(bytes_of_it)
        simulation.step()
        soft = ff.Simulation("scenes/quadruped.yaml", set={"physics.contact": "compliant", "physics.stiffness": 2e3})
        soft.run(0.5)
        soft.state = soft.state.copy()
        soft.step()

        class Springs(ff.ContactModel):
            def solve(self, inputs):
                impulses = np.zeros((inputs.contacts, 3))
                impulses[:, 2] = np.maximum(0.0, -1000 * inputs.gap - 50 * inputs.velocity_free[:, 2]) * inputs.dt
                return impulses

        deep = ff.Simulation("scenes/falling_box.yaml", contact_model=Springs())
        deep.run(1.5)
        assert deep.result.contacts.gap.min() < -1e-3
        deep.restore(deep.snapshot())
        deep.step()


def test_a_log_that_only_the_command_writes_is_told(tmp_path):
    path = str(tmp_path / "run.csv")
    with pytest.warns(UserWarning, match="run.log: .*run.csv' is written by `footfall run` alone; here sim.run"):
        simulation = ff.Simulation("scenes/falling_box.yaml", set={"run.log": path, "run.duration": 0.01})
    assert len(simulation.warnings) == 1
    simulation.run()
    assert not (tmp_path / "run.csv").exists()

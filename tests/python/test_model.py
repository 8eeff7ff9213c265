"""Models and dynamics against textbook relations."""

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

import footfall as ff


@pytest.fixture
def arm():
    return ff.Model("models/rr_arm.urdf", floating_base=False)


def random_state(model, seed=1):
    random = np.random.default_rng(seed)
    state = ff.State(model)
    state.q[7:] = random.uniform(-1, 1, model.nq - 7)
    state.nu[:] = random.uniform(-1, 1, model.nv)
    return state


def test_names_and_limits_come_from_the_file(biped):
    model = biped.model
    knee = model.joint("l_knee")
    assert knee.name in model.joint_names and knee.lower < knee.upper and knee.kind == "revolute"
    assert model.mass == pytest.approx(sum(link.mass for link in model.links))
    assert model.lower[model.joint_names.index("l_knee")] == knee.lower


def test_forward_and_inverse_dynamics_are_inverse(arm):
    dynamics = ff.Dynamics(arm)
    state = random_state(arm)
    dynamics.update(state.q, state.nu)
    tau = np.arange(1.0, arm.nv + 1.0)
    assert dynamics.inverse_dynamics(dynamics.forward_dynamics(tau)) == pytest.approx(tau)


def test_energy_shows_its_numbers(box):
    assert repr(box.dynamics.energy()) == f"Energy(kinetic=0 J, potential={box.dynamics.energy().potential:.9g} J)"


def test_kinetic_energy_is_half_nu_m_nu(biped):
    state = random_state(biped.model)
    dynamics = ff.Dynamics(biped.model)
    dynamics.update(state.q, state.nu)
    M = dynamics.mass_matrix()
    assert np.array_equal(M, M.T)
    assert dynamics.energy().kinetic == pytest.approx(0.5 * state.nu @ M @ state.nu)


def test_jacobians_give_the_velocity_of_frames(biped):
    state = random_state(biped.model)
    dynamics = ff.Dynamics(biped.model)
    dt = 1e-7
    dynamics.update(state.q, state.nu)
    v = dynamics.frame_jacobian("l_sole") @ state.nu
    before = dynamics.frame_pose("l_sole")[:3, 3]
    q = state.q.copy()
    q[:3] += dt * state.nu[:3]
    q[7:] += dt * state.nu[6:]
    omega = np.append(0.5 * dt * state.nu[3:6], 1.0)  # small rotation as a quaternion (x, y, z, w)
    x, y, z, w = omega / np.linalg.norm(omega)
    a, b, c, d = q[3:7]
    q[3:7] = [w * a + x * d + y * c - z * b, w * b - x * c + y * d + z * a, w * c + x * b - y * a + z * d, w * d - x * a - y * b - z * c]
    dynamics.update(q, state.nu)
    assert (dynamics.frame_pose("l_sole")[:3, 3] - before) / dt == pytest.approx(v[:3], abs=1e-5)


def test_a_model_outlives_its_simulation():
    model = ff.Simulation("scenes/falling_box.yaml").model
    dynamics = ff.Dynamics(model)
    del model
    dynamics.update(np.array([0, 0, 1, 0, 0, 0, 1.0]))
    assert dynamics.center_of_mass() == pytest.approx([0, 0, 1.0], abs=1.0)


def numbers_of(model):
    """What the physics sees of it."""
    dynamics = ff.Dynamics(model)
    state = random_state(model)
    dynamics.update(state.q, state.nu)
    return dynamics.mass_matrix().tobytes() + dynamics.bias_forces().tobytes()


def test_models_copy_and_pickle(biped, tmp_path, monkeypatch):
    text = Path("models/rr_arm.urdf").read_text()
    for model in [biped.model, ff.Model("models/rr_arm.urdf", floating_base=False), ff.Model(text, joints=["elbow"]), ff.Model("rr_arm")]:
        packed = pickle.dumps(model)
        others = [copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(copy.copy(model)))]
        with monkeypatch.context() as elsewhere:
            elsewhere.chdir(tmp_path)  # a pickle may be opened in another folder
            others.append(pickle.loads(packed))
        for other in others:
            assert other is not model and numbers_of(other) == numbers_of(model)
            assert (other.joint_names, other.candidate_names) == (model.joint_names, model.candidate_names)


def test_copies_of_what_a_model_says_cannot_be_written_into(biped):
    model = biped.model
    for values in (model.gravity, model.lower, model.upper, model.max_effort, model.frames[0].X_LF, model.links[0].center_of_mass,
                   model.links[0].inertia, biped.state.base_pose):
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 0.0


def test_links_know_where_their_mass_is(box):
    link = box.model.links[0]
    dynamics = ff.Dynamics(box.model)
    dynamics.update([0, 0, 0, 0, 0, 0, 1])
    M = dynamics.mass_matrix()
    assert link.center_of_mass == pytest.approx(dynamics.center_of_mass(), abs=1e-15)
    c = link.center_of_mass
    about_origin = link.inertia + link.mass * (c @ c * np.eye(3) - np.outer(c, c))
    assert M[3:, 3:] == pytest.approx(about_origin, abs=1e-15)
    again = pickle.loads(pickle.dumps(link))
    assert np.array_equal(again.inertia, link.inertia) and np.array_equal(again.center_of_mass, link.center_of_mass)


def test_centroidal_quantities_follow_from_the_mass_matrix(biped):
    """As docs/conventions.md has them."""
    model = biped.model
    state = random_state(model)
    dynamics = ff.Dynamics(model)
    columns = np.empty((6, model.nv))
    for i in range(model.nv):
        dynamics.update(state.q, np.eye(model.nv)[i])
        columns[:, i] = dynamics.momentum()
    dynamics.update(state.q, state.nu)
    M, h, c = dynamics.mass_matrix(), dynamics.bias_forces(), dynamics.center_of_mass() - state.q[:3]
    X = np.eye(6)
    X[3:, :3] = -np.array([[0, -c[2], c[1]], [c[2], 0, -c[0]], [-c[1], c[0], 0]])
    assert X @ M[:6] == pytest.approx(columns, abs=1e-13 * model.mass)
    # In free fall the centre of mass falls, whatever the joints do: J_com ν̇ + bias = g.
    J, bias = M[:3] / model.mass, h[:3] / model.mass + model.gravity
    free = J @ np.linalg.solve(M, -h) + bias
    assert free == pytest.approx(model.gravity, abs=1e-11)
    # Without acceleration the bias is what is left: differences of the velocity along a motion of constant ν.
    dt, velocity = 1e-5, []
    for t in (-dt, dt):
        dynamics.update(moved(state, t), state.nu)
        velocity.append(dynamics.mass_matrix()[:3] @ state.nu / model.mass)
    assert bias == pytest.approx((velocity[1] - velocity[0]) / (2 * dt), abs=1e-6)


def moved(state, time):
    """q after a motion with constant ν."""
    q = state.q.copy()
    q[:3] += time * state.nu[:3]
    q[7:] += time * state.nu[6:]
    x, y, z, w = q[3:7]
    rate = 0.5 * np.array([[w, z, -y], [-z, w, x], [y, -x, w], [-x, -y, -z]]) @ state.nu[3:6]
    q[3:7] += time * rate
    q[3:7] /= np.linalg.norm(q[3:7])
    return q

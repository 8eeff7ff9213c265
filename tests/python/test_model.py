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

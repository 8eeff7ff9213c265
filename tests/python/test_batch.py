import copy
import pickle

import numpy as np
import pytest

import footfall as ff

COPIES = 6


@pytest.fixture
def batch():
    return ff.BatchSimulation("scenes/quadruped.yaml", copies=COPIES, threads=2)


def test_steps_as_a_simulation_does(batch):
    sim = ff.Simulation("scenes/quadruped.yaml")
    batch.step(20)
    for _ in range(20):
        sim.step()
    for world in range(COPIES):
        assert np.array_equal(batch.nu[world], batch.nu[0])
        np.testing.assert_allclose(batch.q[world], sim.state.q, rtol=0.0, atol=2e-8)  # twenty steps, 1e-9 each
        np.testing.assert_allclose(batch.nu[world], sim.state.nu, rtol=0.0, atol=2e-8)
    assert batch.time[0, 0] == sim.time


def test_arrays_are_the_memory_of_the_simulation(batch):
    q = batch.q
    before = q.copy()
    batch.step()
    assert not np.array_equal(q, before)
    assert np.shares_memory(q, batch.values("q"))
    assert q.shape == (COPIES, batch.quantities["q"][0]) and q.flags.c_contiguous and q.dtype == np.float64
    q[2, 2] += 1.0
    batch.step()
    assert batch.q[2, 2] > batch.q[1, 2] + 0.9


def test_dlpack_shares_the_memory(batch):
    shared = np.from_dlpack(batch.tau)  # as torch.from_dlpack and jax.dlpack.from_dlpack do
    assert np.shares_memory(shared, batch.tau)
    assert batch.tau.__dlpack_device__() == (1, 0)


def test_arrays_outlive_the_name_of_the_batch():
    q = ff.BatchSimulation("scenes/quadruped.yaml", copies=2).q
    assert np.isfinite(q).all()


def test_worlds_have_parameters_of_their_own(batch):
    batch.friction[3] = 0.1
    batch["push"] = [0.0, 40.0, 0.0, 0.0, 0.0, 0.0]
    batch.step(100)
    assert np.array_equal(batch.q[0], batch.q[5])
    assert not np.array_equal(batch.q[0], batch.q[3])


def test_worlds_have_masses_of_their_own(batch):
    batch.sole_wrench
    batch.mass[1] = 2.0
    batch.mass_of("trunk")[2] = 1.5
    batch.payload[3] = 4.0
    batch.com_shift[4] = [0.05, 0.0, 0.0]
    assert np.shares_memory(np.from_dlpack(batch.mass), batch.mass)
    trunk = batch.model.link("trunk").mass
    assert batch.mass.shape == (COPIES, len(batch.model.link_names)) and batch.mass[2, batch.model.link_names.index("trunk")] == 1.5
    batch.stiffness[:] *= 3.0  # what it stands on
    batch.push[:] = 0.0
    for _ in range(3):
        batch.reset(np.array([False, False, False, False, False, True]))
        batch.step(300)
    carried = batch.sole_wrench.reshape(COPIES, -1, 6)[:, :, 2].sum(axis=1)  # in the axes of the feet
    mass = batch.model.mass
    # Legs bend a little more under more weight: the feet turn by a hundredth of a radian.
    np.testing.assert_allclose(carried[:5] / carried[0] * mass, [mass, 2 * mass, mass + 0.5 * trunk, mass + 4.0, mass], rtol=1e-2)
    assert len({q.tobytes() for q in batch.q[:5]}) == 5


def test_a_mass_that_is_none_is_told(batch):
    batch.mass_of("lf_shank")[2] = -1.0
    batch.step()
    assert batch.failed.tolist() == [False, False, True, False, False, False]
    assert "lf_shank" in batch.describe_failure(2) and "above zero" in batch.describe_failure(2)
    with pytest.raises(ff.Error, match="trunk"):
        batch.mass_of("trnk")


def test_results_and_time_are_read_only(batch):
    for name in ("time", "sole_wrench", "joint_torque"):
        with pytest.raises(ValueError):
            batch[name][:] = 0.0
    wrench = batch.sole_wrench  # from now on it is written down
    batch.step(200)
    weight = 9.81 * batch.model.mass
    carried = np.linalg.norm(wrench.reshape(COPIES, -1, 6)[:, :, :3], axis=2).sum(axis=1)
    assert (carried > 0.9 * weight).all() and (carried < 1.5 * weight).all()  # it stands, each foot pushes a little aside


def test_masked_reset(batch):
    start = batch.q.copy()
    batch.step(50)
    moved = batch.q.copy()
    mask = np.zeros(COPIES, dtype=bool)
    mask[[1, 4]] = True
    batch.reset(mask)
    assert np.array_equal(batch.q[mask], start[mask])
    assert np.array_equal(batch.q[~mask], moved[~mask])
    batch.start_q[0, 2] += 0.5
    batch.reset()
    assert batch.q[0, 2] == start[0, 2] + 0.5
    with pytest.raises(ff.Error, match="mask"):
        batch.reset(np.ones(3, dtype=bool))


def test_a_failed_world_is_a_status(batch):
    batch.tau[2, 0] = np.nan
    batch.step()
    assert batch.failed.tolist() == [False, False, True, False, False, False]
    assert batch.status[2] == 2 and "not finite" in batch.describe_failure(2)


def test_auto_reset():
    batch = ff.BatchSimulation("scenes/quadruped.yaml", copies=3, auto_reset=True)
    batch.step(10)
    batch.tau[1, 0] = np.nan
    batch.step()
    assert batch.auto_resets.tolist() == [0, 1, 0]
    assert batch.time[1, 0] == 0.0 and batch.time[0, 0] > 0.0


def test_mistakes_are_told(batch):
    with pytest.raises(ff.Error, match="frictoin"):
        batch.values("frictoin")
    with pytest.raises(ff.Error, match="copies"):
        ff.BatchSimulation("scenes/quadruped.yaml", copies=0)
    with pytest.raises(ff.Error, match="delay"):
        batch.delay
    with pytest.raises(ValueError):
        batch["tau"] = np.zeros((COPIES, 3))


def test_set_changes_the_scene():
    batch = ff.BatchSimulation("scenes/quadruped.yaml", copies=1, set={"physics.step": "2 ms"})
    assert batch.dt == 2e-3
    assert batch.bytes_per_copy < 64 * 1024


def test_rays_and_scans():
    batch = ff.BatchSimulation("scenes/stairs.yaml", copies=2)
    down = batch.cast_rays([[0.15, 0.0, 3.0], [0.45, 0.0, 3.0], [-1.0, 0.0, 3.0]])
    assert down.shape == (2, 3) and np.allclose(down, [2.85, 2.7, 3.0])
    assert np.allclose(batch.cast_rays(np.array([[[-1.0, 0.0, 0.1]], [[-2.0, 0.0, 0.1]]]), [1.0, 0.0, 0.0], reach=1.5), [[1.0], [1.5]])
    heights = np.empty((2, 1))
    assert batch.height_scan([[0.0, 0.0]], out=heights) is heights
    assert np.allclose(heights, 8 * 0.15 - batch.q[:, 2:3]), "on the landing"
    with pytest.raises(ff.Error, match="length"):
        batch.cast_rays([0.0, 0.0, 1.0], [0.0, 0.0, -2.0])
    with pytest.raises(ff.Error, match="columns"):
        batch._scan_heights(np.zeros((1, 3)), 1.0, 1.0, heights)
    with pytest.raises(TypeError):
        batch.height_scan([[0.0, 0.0]], out=np.empty((2, 1), dtype=np.float32))


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch)), lambda batch: batch.copy()])
def test_a_copy_goes_on_bit_for_bit(again):
    batch = ff.BatchSimulation("scenes/quadruped.yaml", copies=4, threads=1, longest_delay=5, set={"physics.step": "2 ms"})
    batch.delay[:, 0] = [0, 1, 2, 5]
    batch.friction[:] = 0.7
    batch.mass[:] = np.linspace(0.7, 1.4, 4)[:, None]
    batch.payload[3] = 1.0
    batch.target[1] += 0.1
    batch.step(20)
    other = again(batch)
    for each in (batch, other):
        each.tau[2] = 0.5
        each.step(20)
    assert other.q.tobytes() == batch.q.tobytes() and other.sole_wrench.tobytes() == batch.sole_wrench.tobytes()
    other.step()
    assert other.q.tobytes() != batch.q.tobytes(), "they do not go along with each other"


def test_a_snapshot_of_another_batch_is_refused():
    batch = ff.BatchSimulation("scenes/quadruped.yaml", copies=2)
    with pytest.raises(ff.Error, match="3 copies, these have 2"):
        batch.restore(ff.BatchSimulation("scenes/quadruped.yaml", copies=3).snapshot())


def test_what_is_suspicious_about_a_scene_is_told_as_by_a_simulation():
    with pytest.warns(UserWarning, match="nothing of the robot touches the ground"):
        ff.BatchSimulation("robot: {model: box}", copies=2)


def test_scans_are_written_to_arrays_of_their_shape_alone(batch):
    with pytest.raises(ff.Error, match=r"out is an array of the shape \(3, 2\), expected \(6, 1\)"):
        batch.height_scan([[0.0, 0.0]], out=np.zeros((3, 2)))
    with pytest.raises(TypeError, match="out is a list, expected a numpy array"):
        batch.height_scan([[0.0, 0.0]], out=[[0.0]] * 6)
    with pytest.raises(TypeError, match="out is an array of float32, expected one of float64"):
        batch.height_scan([[0.0, 0.0]], out=np.zeros((6, 1), np.float32))
    with pytest.raises(TypeError, match="not in C order"):
        batch.height_scan([[0.0, 0.0]], out=np.zeros((6, 2))[:, :1])
    fixed = np.zeros((6, 1))
    fixed.flags.writeable = False
    with pytest.raises(TypeError, match="read-only"):
        batch.height_scan([[0.0, 0.0]], out=fixed)


@pytest.mark.parametrize("damage", [lambda s: s[:-2], lambda s: s + b"zz", lambda s: s[:10], lambda s: b""])
def test_damaged_snapshots_are_refused_and_change_nothing(batch, damage):
    snapshot = batch.snapshot()
    batch.step(3)
    before = batch.q.copy()
    with pytest.raises(ff.Error, match="snapshot|saved worlds"):
        batch.restore(damage(snapshot))
    assert np.array_equal(batch.q, before)


@pytest.mark.parametrize("quantity, says", [
    ("tau", "the torque of the joint 'lf_hfe' is nan"),
    ("stiffness", "the stiffness of the joint 'lf_hfe' is nan"),
    ("target", "the target of the joint 'lf_hfe' is nan"),
    ("q", "q[1] is nan"),
    ("nu", "nu[1] is nan"),
    ("push", "a push on the link 'trunk' is nan"),
    ("generalized", "the generalized force[1] is nan"),
])
def test_what_is_no_number_is_named(batch, quantity, says):
    names = batch.model.joint_names
    batch[quantity][2, names.index("lf_hfe") if "lf_hfe" in says else 1] = np.nan
    batch.step()
    assert batch.failed.tolist() == [False, False, True, False, False, False]
    assert batch.describe_failure(2) == f"t = 0 s: the step gives numbers that are not finite: {says}"


@pytest.mark.parametrize("quantity", ["friction", "motor_strength"])
def test_numbers_without_limit_are_named(batch, quantity):
    batch[quantity][2] = np.inf
    batch.step()
    assert batch.failed.tolist() == [world == 2 for world in range(COPIES)]
    assert quantity in batch.describe_failure(2) and "finite" in batch.describe_failure(2)


def test_results_of_steps_that_nobody_has_seen_are_no_numbers(batch):
    batch.step(100)
    assert np.isnan(batch.sole_wrench).all() and np.isnan(batch.joint_torque).all(), "zeros would pass for a flight"
    batch.step()
    assert np.isfinite(batch.sole_wrench).all() and (np.abs(batch.joint_torque).max(axis=1) > 1.0).all()


def test_results_of_an_episode_end_with_it(batch):
    wrench, torque = batch.sole_wrench, batch.joint_torque
    assert not wrench.any(), "nothing has acted on it"
    batch.step(3)
    batch.reset(np.arange(COPIES) == 2)
    assert not wrench[2].any() and not torque[2].any() and wrench[1].any()
    other = ff.BatchSimulation("scenes/quadruped.yaml", copies=COPIES)
    unseen = ff.BatchSimulation("scenes/quadruped.yaml", copies=COPIES)
    unseen.step(2)
    unseen.reset(np.arange(COPIES) == 2)
    assert not other.sole_wrench.any()
    other.restore(unseen.snapshot())
    assert np.isnan(other.sole_wrench[1]).all() and not other.sole_wrench[2].any(), "the snapshot does not hold them"


@pytest.mark.parametrize("place", [12, 40, 2000, -1])
def test_a_snapshot_with_another_bit_is_refused(batch, place):
    snapshot = bytearray(batch.snapshot())
    snapshot[place] ^= 1
    before = batch.q.copy()
    with pytest.raises(ff.Error, match="check sum"):
        batch.restore(bytes(snapshot))
    assert np.array_equal(batch.q, before)


def test_assigning_to_a_quantity_writes_into_its_array(batch):
    tau = batch.tau
    batch.tau = 1.0
    batch.target += 0.1
    batch.friction = np.linspace(0.5, 1.0, COPIES)[:, None]
    assert batch.tau is tau and (tau == 1.0).all() and batch.friction[-1, 0] == 1.0
    assert np.array_equal(batch.target[0], batch.target[5])
    with pytest.raises(ValueError):
        batch.tau = np.zeros(5)
    for name in ("sole_wrench", "time"):
        with pytest.raises(AttributeError, match="read-only"):
            setattr(batch, name, 0.0)
    assert "Joint torques" in ff.BatchSimulation.tau.__doc__

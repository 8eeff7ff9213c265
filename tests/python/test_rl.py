"""Environments of footfall.rl: Gymnasium's rules, the same bits whatever the number of worlds, and what the tasks promise."""

import subprocess
import sys
import types
from dataclasses import replace

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv  # noqa: E402

import footfall as ff  # noqa: E402
from footfall.rl import ROBOTS, Commands, Policy, Randomization, SingleEnv, StandUpEnv, TileGround, Tiles, VelocityEnv, Weights, WorldRandom  # noqa: E402

MODES = list(AutoresetMode)
SHORT = {"robot": "quadruped", "episode_seconds": 0.4}  # 20 actions


def actions_of(env, seed):
    rng = np.random.default_rng(seed)
    return lambda: rng.uniform(-1, 1, env.action_space.shape).astype(np.float32)


# Gymnasium


@pytest.mark.parametrize("name", ["Velocity-Quadruped", "VelocityRough-Go2", "StandUp-AnymalC", "Velocity-G1"])
def test_gymnasiums_own_checker_is_content(name):
    check_env(gymnasium.make(f"footfall/{name}-v0").unwrapped, skip_render_check=True)


def test_make_vec_gives_one_batch():
    env = gymnasium.make_vec("footfall/VelocityRough-Quadruped-v0", num_envs=3, episode_seconds=1.0)
    assert isinstance(env.unwrapped, VelocityEnv) and env.num_envs == 3
    observations, info = env.reset(seed=1)
    assert observations in env.observation_space and set(info) == {"level", "_level"}


@pytest.mark.parametrize("rough", [False, Tiles(levels=2, columns=2, size=4.0)])
@pytest.mark.parametrize("mode", MODES)
def test_does_what_gymnasiums_vector_of_single_environments_does(mode, rough):
    """SyncVectorEnv is the judge: the same observations, rewards, ends and infos, bit for bit, over several episodes."""
    options = {**SHORT, "rough": rough}
    ours = VelocityEnv(3, autoreset_mode=mode, **options)
    theirs = SyncVectorEnv([lambda: SingleEnv(VelocityEnv, **options)] * 3, autoreset_mode=mode)
    assert ours.metadata["autoreset_mode"] is mode and isinstance(ours, VectorEnv)
    assert ours.observation_space == theirs.observation_space and ours.action_space == theirs.action_space
    a, b = ours.reset(seed=5), theirs.reset(seed=5)
    act, ends = actions_of(ours, 2), 0
    for _ in range(70):
        same(a, b)
        action = act()
        a, b = ours.step(action), theirs.step(action)
        ended = a[2] | a[3]
        ends += ended.sum()
        if mode is AutoresetMode.DISABLED and ended.any():
            same(a, b)
            a = ours.reset(options={"reset_mask": ended})
            b = theirs.reset(options={"reset_mask": ended})
            a[1].clear(), b[1].clear()  # theirs speaks of the worlds of the mask only
    assert ends >= 6


def same(a, b):
    if isinstance(a, (tuple, list)):
        assert len(a) == len(b)
        for x, y in zip(a, b):
            same(x, y)
    elif isinstance(a, dict):
        assert set(a) == set(b), (set(a), set(b))
        for key in a:
            same(a[key], b[key])
    elif isinstance(a, np.ndarray) and a.dtype == object:
        same(list(a), list(b))
    else:
        assert np.array_equal(a, b), (a, b)


def test_without_autoreset_a_world_that_has_ended_must_be_reset():
    env = VelocityEnv(2, autoreset_mode="Disabled", **SHORT)
    with pytest.raises(RuntimeError, match="before reset"):
        env.step(np.zeros(env.action_space.shape))
    env.reset(seed=0)
    for _ in range(20):
        env.step(np.zeros(env.action_space.shape))
    with pytest.raises(RuntimeError, match="reset_mask"):
        env.step(np.zeros(env.action_space.shape))
    for bad in ([True, True], np.zeros(2, dtype=bool), np.ones(3, dtype=bool)):
        with pytest.raises(ValueError, match="reset_mask"):
            env.reset(options={"reset_mask": bad})


def test_wrappers_of_gymnasium_accept_it():
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(VelocityEnv(4, autoreset_mode="NextStep", **SHORT))
    env.reset(seed=0)
    lengths = [info["episode"]["l"].max() for info in (env.step(np.zeros(env.action_space.shape))[4] for _ in range(60)) if "episode" in info]
    assert max(lengths) == 20


def test_pictures():
    env = VelocityEnv(2, "quadruped", render_mode="rgb_array", width=80, height=60)
    env.reset(seed=0)
    frames = env.render()
    assert len(frames) == 2 and frames[0].shape == (60, 80, 3)
    assert VelocityEnv(1, "quadruped").render() is None
    with pytest.raises(ValueError, match="render_mode"):
        VelocityEnv(1, "quadruped", render_mode="human")


# The same bits


def rollout(env, seeds, actions=30):
    rows = [env.reset(seed=seeds)[0]]
    for k in range(actions):
        observations, rewards, *_ = env.step(np.full(env.action_space.shape, np.sin(k)))
        rows.append(np.concatenate([observations, rewards[:, None]], axis=1))
    return np.concatenate(rows, axis=1)


def test_a_world_does_the_same_whatever_the_number_of_worlds_and_threads():
    many = rollout(VelocityEnv(7, "quadruped", threads=3), [3, 1, 4, 1, 5, 9, 2])
    few = rollout(VelocityEnv(2, "quadruped", threads=1), [4, 9])
    assert np.array_equal(many[[2, 5]], few)
    assert np.array_equal(many[1], many[3]) and not np.array_equal(many[0], many[1])


def test_a_world_with_an_action_that_is_no_number_harms_no_other():
    def run(action):
        env = VelocityEnv(3, "quadruped", autoreset_mode="NextStep")
        env.reset(seed=0)
        actions = np.zeros((3, 12))
        actions[1, 4] = action
        first = env.step(actions)
        return first, env.step(np.zeros((3, 12)))

    good, bad = run(0.0), run(np.nan)
    assert bad[0][2].tolist() == [False, True, False] and bad[0][1][1] == 0.0
    assert np.isfinite(bad[1][0]).all(), "it starts anew"
    for a, b in zip(good, bad):
        assert np.array_equal(a[0][[0, 2]], b[0][[0, 2]])


def test_random_numbers_of_worlds():
    worlds = np.arange(2000)
    random = WorldRandom(2000)
    random.seed(worlds, worlds)
    numbers = random.uniform(0.0, 1.0, worlds, 50)
    assert numbers.min() >= 0.0 and numbers.max() < 1.0
    # 100,000 numbers: the mean is within 5 deviations of 1/2, and neighbours (in worlds and in turn) are not correlated.
    assert abs(numbers.mean() - 0.5) < 5 * np.sqrt(1 / 12 / numbers.size)
    for a, b in ((numbers[1:], numbers[:-1]), (numbers[:, 1:], numbers[:, :-1])):
        assert abs(np.corrcoef(a.ravel(), b.ravel())[0, 1]) < 5 / np.sqrt(a.size)
    later = random.uniform(0.0, 1.0, worlds[:3], 2)
    fresh = WorldRandom(1)
    fresh.seed([1])
    assert np.array_equal(fresh.uniform(0.0, 1.0, np.array([0]), 52)[0, 50:], later[1])


# The tasks


def test_a_standing_robot_earns_the_reward_for_standing_and_nothing_pushes_it():
    still = Commands((0.0, 0.0), (0.0, 0.0), (0.0, 0.0))
    env = VelocityEnv(2, "anymal_c", commands=still, randomization=Randomization.none())
    env.reset(seed=0)
    for _ in range(150):
        _, rewards, terminated, _, _ = env.step(np.zeros((2, 12)))
    assert not terminated.any()
    # Velocity and turning are followed; what is left to pay is for effort and for sagging.
    assert (rewards / env.dt > 1.5).all() and (rewards / env.dt < 2.0).all()
    slow = VelocityEnv(2, "anymal_c", commands=Commands((1.0, 1.0), (0.0, 0.0), (0.0, 0.0)), randomization=Randomization.none())
    slow.reset(seed=0)
    for _ in range(150):
        _, less, *_ = slow.step(np.zeros((2, 12)))
    assert (less < rewards - 0.9 * env.dt * 1.5 * (1 - np.exp(-4.0))).all()


def test_observations_are_what_the_robot_feels():
    env = VelocityEnv(5, "quadruped", randomization=Randomization.none())
    observations, _ = env.reset(seed=3)
    for _ in range(3):
        observations, *_ = env.step(actions_of(env, 1)())
    q, nu = env.batch.q, env.batch.nu
    for world in range(5):
        x, y, z, w = q[world, 3:7]
        R = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                      [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                      [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
        felt = np.concatenate([R.T @ nu[world, :3], R.T @ nu[world, 3:6], R[2], env.command[world], q[world, 7:] - env.posture, nu[world, 6:], env.action[world]])
        assert np.allclose(observations[world], felt, atol=1e-6, rtol=1e-6)


def test_pushes_delays_and_parameters_differ_from_world_to_world():
    env = VelocityEnv(50, "quadruped")
    env.reset(seed=1)
    batch, r = env.batch, env.randomization
    for values, low, high in ((batch.friction, *r.friction), (batch.delay * env.PHYSICS_STEP, 0.0, 0.015 + 1e-9),
                              (batch.stiffness / env.stiffness, 0.81, 1.21), (batch.payload / batch.model.mass, *r.payload)):
        assert values.min() >= low and values.max() <= high and len(np.unique(values)) > 3
    calm = VelocityEnv(50, "quadruped", randomization=Randomization(push_seconds=0.1, push=0.0))
    pushed = VelocityEnv(50, "quadruped", randomization=Randomization(push_seconds=0.1, push=0.5))
    change = [rollout(env, 1, actions=8)[:, 48 + 49 * 6 : 48 + 49 * 6 + 2] for env in (calm, pushed)]
    assert 0.1 < np.abs(change[1] - change[0]).mean() < 0.5


def test_masses_differ_where_that_is_asked_for():
    weighed = VelocityEnv(20, "quadruped", randomization=Randomization(mass=(0.8, 1.3), com_shift=0.03))
    weighed.reset(seed=1)
    batch = weighed.batch
    for values, low, high in ((batch.mass, 0.8, 1.3), (batch.com_shift, -0.03, 0.03)):
        assert values.min() >= low and values.max() <= high and len(np.unique(values)) == values.size
    before = batch.mass.copy()
    plain = VelocityEnv(20, "quadruped")
    walked = [rollout(env, 1, actions=8) for env in (plain, weighed)]
    assert not np.array_equal(batch.q, plain.batch.q) and np.isfinite(walked[1]).all()
    assert np.array_equal(batch.friction, plain.batch.friction), "they are drawn last: all else stays"
    weighed.reset(seed=2)
    assert not np.array_equal(batch.mass, before)
    same = VelocityEnv(20, "quadruped", randomization=Randomization.none())
    same.reset(seed=1)
    assert same.batch.bytes_per_copy < plain.batch.bytes_per_copy, "what differs nowhere costs nothing"


def test_rough_ground_is_scanned_where_the_robot_stands():
    tiles = Tiles(levels=3, columns=5, size=4.0)
    env = VelocityEnv(30, "quadruped", rough=tiles)
    observations, _ = env.reset(seed=2)
    assert observations.shape == (30, 48 + 187)
    ground = env.curriculum.ground
    points = env._points
    for world in range(30):
        x, y = env.batch.q[world, :2]
        yaw = 2 * np.arctan2(env.batch.q[world, 5], env.batch.q[world, 6])
        px = x + np.cos(yaw) * points[:, 0] - np.sin(yaw) * points[:, 1]
        py = y + np.sin(yaw) * points[:, 0] + np.cos(yaw) * points[:, 1]
        heights = bilinear(ground.heights, px / tiles.cell, py / tiles.cell)
        expected = np.clip(heights - env.batch.q[world, 2] + env.standing_height, -1, 1)
        assert np.allclose(observations[world, 48:], expected, atol=2e-5), "the file has five digits"


def bilinear(grid, x, y):
    i, j = x + 0.5 * (grid.shape[0] - 1), y + 0.5 * (grid.shape[1] - 1)
    a, b = np.floor(i).astype(int), np.floor(j).astype(int)
    s, t = i - a, j - b
    return (1 - s) * ((1 - t) * grid[a, b] + t * grid[a, b + 1]) + s * ((1 - t) * grid[a + 1, b] + t * grid[a + 1, b + 1])


def test_tiles_get_harder_and_meet_at_their_borders():
    tiles = Tiles(levels=4, columns=5, size=6.0)
    ground = TileGround(tiles)
    n, border = ground.nodes, round(tiles.border / tiles.cell)
    inner = ground.heights[border:-border, border:-border]
    spread = inner.reshape(4, n, 5, n).std(axis=(1, 3))
    assert (np.diff(spread, axis=0) > 0).all(), "each level is rougher than the one before"
    assert np.abs(inner[::n]).max() < 1e-9 + tiles.steepest * tiles.cell and np.abs(inner[:, ::n]).max() < tiles.steepest * tiles.cell + 1e-9
    with pytest.raises(ValueError, match="levels is 0, expected 1 or more"):
        TileGround(Tiles(levels=0))


def test_who_walks_far_goes_to_harder_ground_and_who_does_not_to_easier():
    env = VelocityEnv(3, "quadruped", rough=Tiles(levels=4, columns=1, size=4.0), autoreset_mode="Disabled")
    env.reset(seed=0)
    level = env.curriculum.level
    level[:] = [1, 1, 3]
    env.batch.q[0, 0] = env.origin[0, 0] + 2.5  # beyond its tile
    env.batch.q[1, :2] = env.origin[1, :2]
    env.batch.q[2, 0] = env.origin[2, 0] + 2.5
    env.episode_length[:], env._walked[:] = 500, 10.0
    env.reset(options={"reset_mask": np.ones(3, dtype=bool)})
    assert level[0] == 2 and level[1] == 0 and 0 <= level[2] < 4
    assert np.allclose(env.batch.q[:, :2], env.curriculum.origins(np.arange(3))[:, :2])


def test_standing_up_starts_anyhow_and_pays_for_being_up():
    env = StandUpEnv(20, "go2", episode_seconds=3.0)
    observations, info = env.reset(seed=0)
    assert not info["standing"].any() and observations[:, 5].min() < -0.5 and observations[:, 5].max() > 0.5
    for _ in range(100):
        _, rewards, terminated, _, info = env.step(np.zeros(env.action_space.shape))
    assert not terminated.any()
    low = env.batch.q[:, 2]
    assert (low < 0.6).all() and (low > 0.02).all(), "they lie on the ground"
    standing = info["standing"]
    assert 0 < standing.sum() < 20, "some fall on their feet, the others need a policy"
    assert rewards[standing].min() > rewards[~standing].max()


def test_mistakes_are_told():
    with pytest.raises(ValueError, match="no robot 'goo2'"):
        VelocityEnv(1, "goo2")
    with pytest.raises(ValueError, match="episode_seconds"):
        VelocityEnv(1, "quadruped", episode_seconds=0.0)
    env = VelocityEnv(2, "quadruped")
    with pytest.raises(ValueError, match="2 worlds|expected 2"):
        env.reset(seed=[1, 2, 3])
    with pytest.raises(ValueError, match="autoreset_mode is 'nextstep', expected one of 'NextStep'"):
        VelocityEnv(1, "quadruped", autoreset_mode="nextstep")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="shape"):
        env.step(np.zeros((2, 11)))
    with pytest.raises(ValueError, match="no option 'reset_msk' of reset.*reset_mask"):
        env.reset(options={"reset_msk": np.array([True, False])})


@pytest.mark.parametrize("seed", [-1, 2**63, 2**64, [-1, 2], [2**63, 0], 1.5, True, "ab", [1, 1.5]])
def test_seeds_that_are_none_are_refused(seed):
    env = VelocityEnv(2, "quadruped")
    with pytest.raises((ValueError, TypeError), match="VelocityEnv: the seed is"):
        env.reset(seed=seed)


def test_whole_numbers_of_numpy_are_seeds():
    env = VelocityEnv(2, "quadruped")
    assert np.array_equal(env.reset(seed=np.int64(5))[0], env.reset(seed=5)[0])
    assert np.array_equal(env.reset(seed=np.array([5, 6]))[0], env.reset(seed=5)[0])


@pytest.mark.parametrize("make, problem", [
    (lambda: Randomization(friction=(1.2, 0.5)), "friction is .*were they swapped"),
    (lambda: Randomization(friction=(-1.0, 1.0)), "friction is -1.0, expected a finite number, 0 or more"),
    (lambda: Randomization(friction=0.5), "friction is 0.5, expected two numbers"),
    (lambda: Randomization(gains=(1.0, 2.0, 3.0)), "gains is .*expected two numbers"),
    (lambda: Randomization(mass=(0.0, 1.0)), "mass is 0.0, expected a finite number above 0"),
    (lambda: Randomization(payload=(-1.0, 0.0)), "payload is -1.0"),
    (lambda: Randomization(delay=(0.0, float("nan"))), "delay is nan"),
    (lambda: Randomization(push=-1.0), "push is -1.0"),
    (lambda: Randomization(push_seconds=0.0), "push_seconds is 0.0"),
    (lambda: Weights(tilt=float("nan")), "Weights: tilt is nan"),
    (lambda: Commands(forwards=(1.0, -1.0)), "forwards is .*were they swapped"),
    (lambda: Commands(seconds=0.0), "seconds is 0.0"),
    (lambda: Tiles(cell=0.0), "cell is 0.0"),
    (lambda: Tiles(levels=1.5), "levels is 1.5, expected a whole number"),
    (lambda: Tiles(highest_step=-0.1), "highest_step is -0.1"),
    (lambda: Tiles(border=-1.0), "border is -1.0"),
    (lambda: replace(ROBOTS["quadruped"], action_scale=0.0), "action_scale is 0.0"),
    (lambda: VelocityEnv(1, replace(ROBOTS["quadruped"], stiffness={"*": 60.0, "*_knee": 30.0})), "no joint is called '\\*_knee'"),
    (lambda: VelocityEnv(1, "quadruped", rough="yes"), "rough is 'yes'"),
    (lambda: VelocityEnv(1, "quadruped", randomization={"friction": (1, 1)}), "expected a footfall.rl.Randomization"),
    (lambda: VelocityEnv(1, "quadruped", weights=None), "expected a footfall.rl.Weights"),
    (lambda: VelocityEnv(1, "quadruped", width=0), "width is 0"),
    (lambda: StandUpEnv(1, "quadruped", joint_noise=-1.0), "joint_noise is -1.0"),
])
def test_options_that_would_do_something_else_are_refused(make, problem):
    with pytest.raises((ValueError, TypeError), match=problem):
        make()


def test_importing_it_needs_numpy_and_gymnasium_only():
    program = "import sys, footfall.rl; print([m for m in ('torch', 'tensordict', 'rsl_rl', 'scipy', 'pandas') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip() == "[]"


# rsl-rl, with stand-ins for torch and tensordict: neither is among what the tests install


class FakeTensor(np.ndarray):
    def to(self, device):
        return self

    cpu = detach = lambda self: self

    def numpy(self):
        return np.asarray(self)


@pytest.fixture
def rsl(monkeypatch):
    torch = types.ModuleType("torch")
    torch.as_tensor = lambda values: np.asarray(values).view(FakeTensor)
    tensordict = types.ModuleType("tensordict")
    tensordict.TensorDict = lambda values, batch_size, device: dict(values)
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "tensordict", tensordict)
    monkeypatch.delitem(sys.modules, "footfall.rl.rsl", raising=False)
    import footfall.rl.rsl

    yield footfall.rl.rsl
    sys.modules.pop("footfall.rl.rsl", None)


def test_rsl_rl_interface(rsl):
    env = rsl.RslRlVecEnv(VelocityEnv(3, autoreset_mode="SameStep", **SHORT), interface="tensordict")
    assert (env.num_envs, env.num_actions, env.num_obs, env.max_episode_length) == (3, 12, 48, 20)
    assert env.get_observations()["policy"].shape == (3, 48)
    env.episode_length_buf = env.episode_length_buf * 0 + np.array([0, 10, 19])
    zeros = np.zeros((3, 12)).view(FakeTensor)
    observations, rewards, dones, extras = env.step(zeros)
    assert dones.tolist() == [False, False, True] and extras["time_outs"].tolist() == [False, False, True]
    assert observations["policy"].shape == (3, 48) and rewards.shape == (3,) and rewards.dtype == np.float32
    assert env.episode_length_buf.tolist() == [1, 11, 0]
    assert np.array_equal(env.get_observations()["policy"], observations["policy"])


def test_rsl_rl_before_version_3(rsl):
    env = rsl.RslRlVecEnv(VelocityEnv(2, autoreset_mode="SameStep", **SHORT), interface="tensor")
    observations, extras = env.get_observations()
    assert observations.shape == (2, 48) and extras == {"observations": {}}
    assert "observations" in env.step(np.zeros((2, 12)).view(FakeTensor))[3]
    with pytest.raises(ValueError, match="SameStep"):
        rsl.RslRlVecEnv(VelocityEnv(1, **SHORT))


# Policies


def test_policies_are_plain_files(tmp_path):
    rng = np.random.default_rng(1)
    layers = [(rng.normal(size=(5, 4)), rng.normal(size=5)), (rng.normal(size=(2, 5)), rng.normal(size=2))]
    policy = Policy.of(layers, activation="tanh", mean=rng.normal(size=4), deviation=[1.0, 2.0, 0.5, 3.0], about="one\ntwo")
    policy.save(tmp_path / "a.policy")
    again = Policy.load(tmp_path / "a.policy")
    x = rng.normal(size=(10, 4))
    assert np.allclose(policy(x), again(x), atol=1e-7) and np.abs(policy(x)).max() <= 1.0
    assert (tmp_path / "a.policy").read_text().startswith("footfall_policy 1\n# one\n# two\ninputs 4\n")
    with pytest.raises(ValueError, match="no policy file"):
        (tmp_path / "b").write_text("nothing")
        Policy.load(tmp_path / "b")
    with pytest.raises(ValueError, match="shape"):
        Policy.of([(np.zeros((3, 4)), np.zeros(2))])
    with pytest.raises(ValueError, match=r"the observations have the shape \(3,\), expected 4 numbers in each row"):
        policy(np.zeros(3))


@pytest.mark.parametrize("change, problem", [
    (lambda lines: [line.replace("weights", "weights nan", 1) for line in lines], r"a\.policy:10: 'weights' has 5 numbers, expected 4"),
    (lambda lines: lines[:5], r"a\.policy:\d+: the file ends where"),
    (lambda lines: [line.replace("inputs 4", "inputs 1000000000") for line in lines], r"a\.policy:4: 'inputs' has no whole number"),
    (lambda lines: [line.replace("tanh", "sigmoid") for line in lines], r"a\.policy:\d+: there is no activation 'sigmoid'"),
    (lambda lines: [line if not line.startswith("bias") else "bias " + "inf " * 5 for line in lines], r"a\.policy:\d+: 'inf' is not a finite number"),
])
def test_damaged_policies_are_refused_with_their_line(tmp_path, change, problem):
    layers = [(np.ones((5, 4)), np.ones(5)), (np.ones((2, 5)), np.ones(2))]
    Policy.of(layers, activation="tanh", about="one\ntwo").save(tmp_path / "a.policy")
    lines = (tmp_path / "a.policy").read_text().splitlines()
    (tmp_path / "a.policy").write_text("\n".join(change(lines)) + "\n")
    with pytest.raises(ff.Error, match=problem):
        Policy.load(tmp_path / "a.policy")
    (tmp_path / "a.policy").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ff.Error, match=r"a\.policy:1: this is no policy file"):
        Policy.load(tmp_path / "a.policy")

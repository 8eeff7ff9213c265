"""The environments keep Gymnasium's rules."""

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
import footfall.gym  # noqa: E402,F401
from gymnasium.utils.env_checker import check_env  # noqa: E402


@pytest.mark.parametrize("name", ["footfall/Stand-v0", "footfall/Walk-v0"])
def test_gymnasiums_own_checker_is_content(name):
    check_env(gymnasium.make(name).unwrapped)


def rollout(environment, seed):
    observations = [environment.reset(seed=seed)[0]]
    actions = np.random.default_rng(seed)
    for _ in range(50):
        observation, reward, terminated, _, _ = environment.step(actions.uniform(-1, 1, 12))
        observations.append(np.append(observation, reward))
        if terminated:
            break
    return np.concatenate(observations)


def test_seeds_decide_everything():
    environment = gymnasium.make("footfall/Stand-v0")
    assert np.array_equal(rollout(environment, 3), rollout(gymnasium.make("footfall/Stand-v0"), 3))
    assert not np.array_equal(rollout(environment, 3), rollout(environment, 4))


def return_of(policy, name="footfall/Stand-v0", seed=0):
    """Sum of the rewards of an episode."""
    environment = gymnasium.make(name)
    observation, _ = environment.reset(seed=seed)
    total, ended = 0.0, False
    while not ended:
        observation, reward, terminated, truncated, _ = environment.step(policy(observation))
        total += reward
        ended = terminated or truncated
    return total


@pytest.mark.parametrize("seed", range(3))
def test_standing_needs_a_policy(seed):
    """Who does nothing sinks to the ground; feedback of the joints holds the robot up for the 500 actions of an episode."""
    assert return_of(lambda observation: np.zeros(12), seed=seed) < 60.0
    assert return_of(lambda o: np.clip(-(3.0 * o[10:22] + 0.1 * o[22:34]) / 0.3, -1.0, 1.0), seed=seed) > 450.0


def test_pictures_show_the_robot_and_its_motion():
    environment = gymnasium.make("footfall/Stand-v0", render_mode="rgb_array", width=160, height=120)
    environment.reset(seed=0)
    before = environment.render()
    assert before.shape == (120, 160, 3) and before.dtype == np.uint8
    assert len(np.unique(before.reshape(-1, 3), axis=0)) > 20, "sky, ground in two colours, robot in many shades"
    assert np.array_equal(before, environment.render()), "the same bits twice"
    for _ in range(30):  # it sinks
        environment.step(np.zeros(12))
    after = environment.render()
    changed = np.abs(before.astype(int) - after).max(axis=2)
    assert (changed > 40).mean() > 0.005, "the robot moves"
    assert np.median(changed) < 40, "the ground only by as much as the camera goes with the robot"
    assert changed[:10].max() == 0, "the sky stays"


def test_what_cannot_be_rendered_is_refused():
    with pytest.raises(ValueError, match="rgb_array"):
        footfall.gym.StandEnv(render_mode="human")
    assert footfall.gym.WalkEnv().render() is None


def test_threads_give_the_bits_of_a_loop():
    threads = gymnasium.make_vec("footfall/Stand-v0", num_envs=3)
    assert isinstance(threads, footfall.gym.ThreadedVectorEnv)
    loop = gymnasium.make_vec("footfall/Stand-v0", num_envs=3, vectorization_mode="sync")
    assert np.array_equal(threads.reset(seed=1)[0], loop.reset(seed=1)[0])
    actions = np.random.default_rng(1)
    for _ in range(100):
        action = actions.uniform(-1, 1, (3, 12))
        for mine, theirs in zip(threads.step(action)[:4], loop.step(action)[:4]):
            assert np.array_equal(mine, theirs)
    threads.close()
    loop.close()


def test_threads_go_through_wrappers_in_every_autoreset_mode():
    def make():
        environment = gymnasium.make("footfall/Stand-v0", max_episode_steps=7)
        return gymnasium.wrappers.TransformAction(environment, lambda action: 0.2 * action, environment.action_space)

    for mode in [gymnasium.vector.AutoresetMode.NEXT_STEP, gymnasium.vector.AutoresetMode.SAME_STEP]:
        threads = footfall.gym.ThreadedVectorEnv([make] * 2, autoreset_mode=mode)
        loop = gymnasium.vector.SyncVectorEnv([make] * 2, autoreset_mode=mode)
        assert np.array_equal(threads.reset(seed=1)[0], loop.reset(seed=1)[0])
        actions = np.random.default_rng(2)
        for _ in range(20):
            action = actions.uniform(-1, 1, (2, 12))
            mine, theirs = threads.step(action), loop.step(action)
            for one, other in zip(mine[:4], theirs[:4]):
                assert np.array_equal(one, other)
            assert mine[4].keys() == theirs[4].keys()
            for one, other in zip(mine[4].get("final_obs", []), theirs[4].get("final_obs", [])):
                assert np.array_equal(one, other)
        threads.close()
        loop.close()


def test_threads_without_autoreset_wait_for_a_reset_of_those_that_ended():
    def make():
        return gymnasium.make("footfall/Stand-v0", max_episode_steps=2)

    mode = gymnasium.vector.AutoresetMode.DISABLED
    many = footfall.gym.ThreadedVectorEnv([make] * 2, autoreset_mode=mode)
    many.reset(seed=1)
    actions = np.zeros((2, 12), dtype=np.float32)
    many.step(actions)
    assert many.step(actions)[3].all()
    with pytest.raises(ValueError, match="wait for reset"):
        many.step(actions)
    with pytest.raises(ValueError, match="3 actions, expected one for each of 2"):
        many.step(np.zeros((3, 12), dtype=np.float32))
    many.reset(options={"reset_mask": np.array([True, True])})
    assert not many.step(actions)[3].any()
    many.close()


@pytest.mark.parametrize("action", [np.full(12, np.nan), np.zeros(1), 0.0, np.zeros((12, 1))])
def test_an_action_that_is_none_is_refused(action):
    environment = footfall.gym.StandEnv()
    environment.reset(seed=0)
    with pytest.raises(ValueError, match="12 finite numbers"):
        environment.step(action)


@pytest.mark.parametrize("threads", [1, 2])
def test_after_a_failure_nothing_old_is_taken_for_the_next_step(threads):
    """The others have made their steps when one of them raises: the next call makes new ones."""
    many = gymnasium.make_vec("footfall/Stand-v0", num_envs=3, threads=threads)
    many.reset(seed=0)
    actions = np.zeros((3, 12), dtype=np.float32)
    many.step(actions)
    actions[2] = np.nan
    with pytest.raises(ValueError, match="finite"):
        many.step(actions)
    actions[:] = 0.5
    observations = many.step(actions)[0]
    assert np.array_equal(observations[:, 34:], actions), "an observation ends with the action that led to it"
    many.close()


def test_threads_are_one_or_more():
    with pytest.raises(ValueError, match="threads"):
        gymnasium.make_vec("footfall/Stand-v0", num_envs=2, threads=0)

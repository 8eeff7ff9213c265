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


def test_who_does_nothing_stands():
    environment = gymnasium.make("footfall/Stand-v0")
    environment.reset(seed=0)
    for _ in range(200):
        _, reward, terminated, _, _ = environment.step(np.zeros(12))
        assert not terminated
    assert reward > 0.9


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
            for mine, theirs in zip(threads.step(action)[:4], loop.step(action)[:4]):
                assert np.array_equal(mine, theirs)
        threads.close()
        loop.close()

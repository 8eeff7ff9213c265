"""Environments whose physics runs on threads do what they do one after the other, whatever wraps them."""

import copy

import footfall as ff
import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from footfall.gym import SimulationEnv, StandEnv, ThreadedVectorEnv  # noqa: E402
from footfall.gym._split_step import SplitStep  # noqa: E402
from gymnasium import wrappers  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402


class Louder(gymnasium.ActionWrapper):
    """Remembers: asked twice for one action, it would say something else."""

    asked = 0

    def action(self, action):
        self.asked += 1
        return action * (1.0 + 0.1 * self.asked % 1.0)


class Doubled(gymnasium.Wrapper):
    """Its own step may do anything with the action."""

    def step(self, action):
        self.env.step(-action)
        return self.env.step(action)


class Mixin:
    def step(self, action):
        return super().step(0.5 * action)


class Mixed(wrappers.OrderEnforcing, Mixin, gymnasium.Wrapper):
    """Calls the step of Mixin by super(), which nobody sees in its own class."""


def patched(env):
    step = env.step
    env.step = lambda action: step(0.5 * action)
    return env


def box(env):
    return gymnasium.spaces.Box(-2.0, 2.0, env.action_space.shape, np.float32)


SPLIT = {
    "none": lambda env: env,
    "rescaled": lambda env: wrappers.RescaleAction(env, np.float32(-0.5), np.float32(0.5)),
    "clipped": lambda env: wrappers.ClipAction(wrappers.TransformAction(env, lambda a: 0.7 * a, box(env))),
    "sticky": lambda env: wrappers.StickyAction(env, 0.5),  # draws from the numbers that the environment draws from
    "remembering": lambda env: wrappers.TimeAwareObservation(Louder(wrappers.TimeLimit(Louder(env), 100))),
    "counted": wrappers.RecordEpisodeStatistics,
    "normalized": lambda env: wrappers.NormalizeReward(wrappers.NormalizeObservation(env)),
    "stacked": lambda env: wrappers.FrameStackObservation(wrappers.DelayObservation(env, 2), 3),
    "rewarded": lambda env: wrappers.TransformReward(env, lambda reward: 2.0 * reward),
    "drawn": wrappers.RenderCollection,
}
WHOLE = {
    "doubled": Doubled,
    "repeated": lambda env: wrappers.RepeatAction(env, 2),
    "mixed": Mixed,
    "patched": patched,
    "inside": lambda env: wrappers.TimeAwareObservation(Doubled(env)),
    "autoreset": wrappers.Autoreset,
}


def maker(wrap, steps=5):
    return lambda: wrap(
        gymnasium.make("footfall/Stand-v0", max_episode_steps=steps, render_mode="rgb_array", width=16, height=12)
    )


def same(one, other):
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[k], other[k]) for k in one if k != "t")  # a clock's
    if isinstance(one, (list, tuple)) or getattr(one, "dtype", None) == object:
        return len(one) == len(other) and all(map(same, one, other))
    return np.array_equal(one, other)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("name", [*SPLIT, *WHOLE])
def test_every_wrapper_gives_what_a_loop_gives(name, mode):
    make = maker({**SPLIT, **WHOLE}[name])
    threads, loop = ThreadedVectorEnv([make] * 3, threads=2, autoreset_mode=mode), SyncVectorEnv([make] * 3, autoreset_mode=mode)
    for env in threads.envs:
        assert (SplitStep.of(env) is not None) == (name in SPLIT)
    assert same(threads.reset(seed=5), loop.reset(seed=5))
    actions = np.random.default_rng(6)
    for _ in range(13):
        action = actions.uniform(-1.5, 1.5, (3, 12)).astype(np.float32)
        assert same(threads.step(action), loop.step(action))
    if name == "drawn":
        assert same(threads.call("render"), loop.call("render"))
    threads.close()
    loop.close()


def test_environments_of_several_kinds_take_their_turns_together():
    makes = [maker(wrap) for wrap in (SPLIT["none"], WHOLE["doubled"], Louder, WHOLE["patched"])]
    threads, loop = ThreadedVectorEnv(makes, threads=2), SyncVectorEnv(makes)
    assert same(threads.reset(seed=1), loop.reset(seed=1))
    for _ in range(8):
        assert same(threads.step(np.full((4, 12), 0.3)), loop.step(np.full((4, 12), 0.3)))
    threads.close()


def test_an_environment_that_is_exchanged_later_is_asked_as_it_is():
    many, loop = ThreadedVectorEnv([maker(SPLIT["none"])] * 2), SyncVectorEnv([maker(SPLIT["none"])] * 2)
    for vector in (many, loop):
        vector.envs = [Doubled(vector.envs[0]), vector.envs[1]]
    assert same(many.reset(seed=1), loop.reset(seed=1))
    for _ in range(4):
        assert same(many.step(np.full((2, 12), 0.3)), loop.step(np.full((2, 12), 0.3)))


def test_a_step_before_a_reset_is_refused_by_gymnasium_and_moves_nothing():
    many = ThreadedVectorEnv([maker(SPLIT["rescaled"])] * 2)
    with pytest.raises(gymnasium.error.ResetNeeded):
        many.step(np.zeros((2, 12)))
    assert [env.unwrapped.simulation.time for env in many.envs] == [0.0, 0.0]


def test_physics_that_nobody_looked_at_is_not_taken_for_the_next_step():
    env = maker(SPLIT["none"])()
    split = SplitStep.of(env)
    split.begin(np.zeros(12))
    with pytest.raises(gymnasium.error.ResetNeeded):
        split.end(np.zeros(12))
    env.reset(seed=1)
    env.step(np.zeros(12))
    assert env.unwrapped.simulation.time == 0.02


class Touchy(gymnasium.ObservationWrapper):
    angry = False

    def observation(self, observation):
        if self.angry:
            raise RuntimeError("do not look")
        return observation


def test_one_that_raises_after_its_physics_leaves_the_others_and_itself_ready():
    makes = [maker(Touchy, steps=100)] * 3
    threads, loop = ThreadedVectorEnv(makes, threads=2), SyncVectorEnv(makes)
    for vector in (threads, loop):
        vector.reset(seed=2)
        vector.envs[2].angry = True  # the last: a loop has made the steps of the others, too
        with pytest.raises(RuntimeError, match="do not look"):
            vector.step(np.full((3, 12), 0.2))
        vector.envs[2].angry = False
    for _ in range(3):
        assert same(threads.step(np.full((3, 12), -0.2)), loop.step(np.full((3, 12), -0.2)))


def test_the_first_of_several_exceptions_is_raised():
    many = ThreadedVectorEnv([maker(Touchy)] * 3, threads=2)
    many.reset(seed=2)
    many.envs[1].angry = True
    actions = np.zeros((3, 12))
    actions[2] = np.nan
    with pytest.raises(RuntimeError, match="do not look"):
        many.step(actions)


def test_a_solve_that_fails_ends_its_episode_alone():
    many = gymnasium.make_vec("footfall/Stand-v0", num_envs=3, threads=2, autoreset_mode="SameStep")
    many.reset(seed=3)
    many.envs[1].unwrapped._disturb = lambda: many.envs[1].unwrapped.simulation.input.add_wrench(
        "trunk", force=[0, 0, 0], moment=[1e200, 2e200, 0]
    )
    _, _, terminated, _, infos = many.step(np.zeros((3, 12)))
    assert terminated.tolist() == [False, True, False]
    assert infos["_final_obs"].tolist() == [False, True, False]
    many.close()


class PushedBox(SimulationEnv):
    """What a user writes."""

    action_space = gymnasium.spaces.Box(-1.0, 1.0, (1,), np.float64)
    observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (2,), np.float64)
    action_duration = 0.01

    def __init__(self):
        self.simulation = ff.Simulation("scenes/falling_box.yaml")
        self._start = self.simulation.snapshot()

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.simulation.restore(self._start)
        return self._seen(), {}

    def prepare(self, action):
        self.simulation.input.clear_wrenches()
        self.simulation.input.add_wrench("box", force=[float(action[0]), 0, 0])

    def observe(self, failed):
        return self._seen(), float(self.simulation.state.nu[0]), failed, False, {}

    def _seen(self):
        return np.array([self.simulation.state.q[0], self.simulation.state.nu[0]])


def test_an_environment_of_ones_own_is_split_too():
    makes = [lambda: wrappers.TimeLimit(PushedBox(), 4)] * 3
    threads, loop = ThreadedVectorEnv(makes, threads=2), SyncVectorEnv(makes)
    assert all(SplitStep.of(env) for env in threads.envs)
    assert same(threads.reset(seed=1), loop.reset(seed=1))
    for _ in range(10):
        action = np.array([[0.5], [-0.5], [1.0]])
        assert same(threads.step(action), loop.step(action))


def test_an_environment_copies_and_goes_on_alone():
    one = StandEnv()
    one.reset(seed=1)
    one.step(np.full(12, 0.1))
    other = copy.deepcopy(one)
    for _ in range(3):
        assert same(one.step(np.full(12, 0.2)), other.step(np.full(12, 0.2)))


def test_no_environments_are_refused_by_name():
    with pytest.raises(ValueError, match="there are no environments"):
        ThreadedVectorEnv([])

"""The step of an environment in two halves, with all simulations between them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
from gymnasium import wrappers

from ._simulation_env import SimulationEnv

# Steps of Gymnasium that call the step below once, with the action as it came; what else they do comes after it, or does not concern it.
_HAND_ACTIONS_ON = {
    kind.step
    for kind in (
        gymnasium.Wrapper,
        gymnasium.ObservationWrapper,
        gymnasium.RewardWrapper,
        wrappers.FrameStackObservation,
        wrappers.NormalizeReward,
        wrappers.OrderEnforcing,
        wrappers.PassiveEnvChecker,
        wrappers.RecordEpisodeStatistics,
        wrappers.RecordVideo,
        wrappers.RenderCollection,
        wrappers.TimeAwareObservation,
        wrappers.TimeLimit,
    )
}
_CHANGE_ACTIONS = {gymnasium.ActionWrapper.step, gymnasium.Wrapper.step}


class SplitStep:
    """Begins and ends the step of an environment under wrappers; between the two its simulation runs.

    Wrappers are asked once, by their own code: the action goes down through those that change actions, and the whole step() is called
    afterwards, in which these hand on what they had said, and the environment does not run again.
    """

    @classmethod
    def of(cls, env: gymnasium.Env[Any, Any]) -> SplitStep | None:
        """None: it is no SimulationEnv, or a wrapper may do anything with an action."""
        outermost, changers = env, []
        while isinstance(env, gymnasium.Wrapper):
            steps = _steps_of(env)
            if steps <= _CHANGE_ACTIONS and gymnasium.ActionWrapper.step in steps:
                changers.append(env)
            elif not steps <= _HAND_ACTIONS_ON:
                return None
            env = env.env
        if not isinstance(env, SimulationEnv) or _steps_of(env) != {SimulationEnv.step}:
            return None
        return cls(outermost, changers, env)

    def __init__(self, env: gymnasium.Env[Any, Any], changers: list[Any], innermost: SimulationEnv) -> None:
        self.env = env
        self.innermost = innermost
        self._changers = changers  # from the outside
        self._changed: list[Any] = []  # what each of them made of the action
        self.ran = False  # whether the simulation got to the end of the action

    def begin(self, action: Any) -> None:
        self._changed.clear()
        for wrapper in self._changers:
            action = wrapper.action(action)
            self._changed.append(action)
        self.innermost.prepare(action)

    def end(self, action: Any) -> Any:
        self.innermost._ran = self.ran
        for wrapper, changed in zip(self._changers, self._changed):
            wrapper.step = partial(_hand_on, wrapper, changed)
        try:
            return self.env.step(action)
        finally:
            self.innermost._ran = None
            for wrapper in self._changers:
                del wrapper.step


def _hand_on(wrapper: Any, changed: Any, _: Any) -> Any:
    return wrapper.env.step(changed)


def _steps_of(env: Any) -> set[Callable[..., Any]]:
    """All that step() may call: of its class and of those that it derives from, or set for this object alone."""
    steps = {vars(kind)["step"] for kind in type(env).__mro__ if "step" in vars(kind)}
    if "step" in vars(env):
        steps.add(vars(env)["step"])
    return steps - {gymnasium.Env.step}

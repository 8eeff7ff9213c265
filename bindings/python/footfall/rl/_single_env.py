"""One world of a task as a plain Gymnasium environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from ._vector_env import BatchEnv, Observations


class SingleEnv(gymnasium.Env[Observations, npt.NDArray[Any]]):
    """A vector environment of one world, without the axis of worlds."""

    def __init__(self, task: type[BatchEnv], **options: Any) -> None:
        self.many = task(1, autoreset_mode=AutoresetMode.DISABLED, threads=1, **options)
        self.metadata = {key: value for key, value in self.many.metadata.items() if key != "autoreset_mode"}
        self.render_mode = self.many.render_mode
        self.observation_space = self.many.single_observation_space
        self.action_space = self.many.single_action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observations, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is None and not self.many._seeded:
            seed = int(self.np_random.integers(2**31))
        observations, info = self.many.reset(seed=seed)
        return observations[0], self._info(info)

    def step(self, action: npt.NDArray[Any]) -> tuple[Observations, float, bool, bool, dict[str, Any]]:
        self.many._ended_before[:] = False  # Gymnasium lets one go on after the end of an episode
        observations, rewards, terminated, truncated, info = self.many.step(np.asarray(action)[None])
        return observations[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), self._info(info)

    def render(self) -> Any:
        frames = self.many.render()
        return None if frames is None else frames[0]

    @staticmethod
    def _info(info: dict[str, Any]) -> dict[str, Any]:
        return {key: value[0] for key, value in info.items() if not key.startswith("_")}

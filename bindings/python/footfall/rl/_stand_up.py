"""Standing up after a fall."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from ._checks import check_number
from ._robots import Robot
from ._rotations import random_attitudes
from ._vector_env import BatchEnv, Flags, Floats, Observations, Worlds


class StandUpEnv(BatchEnv):
    """Get up from any attitude, and stay up. The robot touches the ground with its whole body, and is dropped onto it with its joints anyhow.

    observation, in SI units: angular velocity of the base in its own axes (3), direction up (3), joint positions from the posture, joint velocities, the
    last action

    info: `standing`, whether the robot is upright within 20 % of its standing height
    """

    def __init__(
        self,
        num_envs: int = 1,
        robot: str | Robot = "go2",
        *,
        friction: float = 0.8,
        joint_noise: float = 0.5,
        episode_seconds: float = 6.0,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 0,
        render_mode: str | None = None,
        width: int = 480,
        height: int = 360,
    ) -> None:
        check_number("StandUpEnv", "joint_noise", joint_noise, 0.0)
        self._joint_noise = joint_noise
        super().__init__(
            num_envs, robot, ground={"shape": "plane", "friction": friction}, whole_body=True, episode_seconds=episode_seconds,
            autoreset_mode=autoreset_mode, threads=threads, render_mode=render_mode, width=width, height=height)

    @property
    def num_observations(self) -> int:
        return 6 + 3 * self.num_actions

    def _begin(self, worlds: Worlds) -> None:
        batch, draw = self.batch, self.random.uniform
        batch.start_q[worlds] = self._rest_q
        batch.start_q[worlds, 2] = 2.0 * self.standing_height  # no part of it reaches the ground, whatever the attitude
        batch.start_q[worlds, 3:7] = random_attitudes(draw(0.0, 1.0, worlds, 3))
        batch.start_q[worlds, 7:] += draw(-self._joint_noise, self._joint_noise, worlds, self.num_actions)
        batch.start_nu[worlds] = 0.0

    def _ended(self) -> Flags:
        return np.zeros(self.num_envs, dtype=np.bool_)

    def _standing(self) -> Flags:
        height = self.batch.q[:, 2] / self.standing_height
        standing: Flags = (self.up[:, 2] > 0.9) & (height > 0.8) & (height < 1.2)
        return standing

    def _reward(self) -> Floats:
        upright = 0.5 * (1.0 + self.up[:, 2])
        height = np.clip(self.batch.q[:, 2] / self.standing_height, 0.0, 1.0)
        posture = np.exp(-np.square(self.joint_error).mean(axis=1) / 0.1)
        jerk = np.square(self.action - self.last_action).mean(axis=1)
        reward: Floats = self.dt * (upright + upright**2 * height + upright**2 * posture - 0.05 * self._effort() - 0.1 * jerk)
        return reward

    def _observe(self) -> Observations:
        parts = (self.turning, self.up, self.joint_error, self.joint_velocity, self.action)
        return np.concatenate(parts, axis=1).astype(np.float32)

    def _info(self) -> dict[str, npt.NDArray[Any]]:
        return {"standing": self._standing()}

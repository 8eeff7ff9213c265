"""A small quadruped that keeps standing while it is pushed, or walks."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from copy import deepcopy
from math import isfinite
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.vector.utils import concatenate, iterate

import footfall

_LEGS = ("lf", "rf", "lh", "rh")


def quadruped_scene() -> dict[str, Any]:
    """Our own quadruped, on its feet on flat ground, its posture held by springs."""
    initial = {f"{leg}_{joint}": angle for leg in _LEGS for joint, angle in (("hfe", 0.6), ("kfe", -1.2))}
    return {
        "robot": {"model": "quadruped", "initial": initial, "base": {"on_ground": True}},
        "contacts": [{"frame": f"{leg}_foot", "radius": 0.02} for leg in _LEGS],
        "ground": {"friction": 0.8},
        "physics": {"step": "1 ms"},
    }


class QuadrupedEnv(gymnasium.Env[np.ndarray, np.ndarray]):
    """What both tasks share. An action moves the targets of the joints' springs away from the standing posture.

    action: one number in [-1, 1] for each joint, times 0.3 rad
    observation: height of the base [m], up-direction in base axes (3), velocity [m/s] and angular velocity [rad/s] of the base in base
    axes (3 + 3), joint positions from the posture [rad] (12), joint velocities [rad/s] (12), the last action (12)
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 50}
    ACTION_SCALE = 0.3  # [rad]
    STEPS_PER_ACTION = 20  # of 1 ms
    JOINT_NOISE = 0.05  # at the start [rad]
    STIFFNESS: float | None = None  # of the springs; None: as stiff as the scene makes them [N m/rad]
    DAMPING: float | None = None  # [N m s/rad]

    def __init__(self, render_mode: str | None = None, width: int = 480, height: int = 360) -> None:
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode is {render_mode!r}, expected None or 'rgb_array'")
        self.render_mode = render_mode
        self._picture_size = (width, height)
        self.simulation = footfall.Simulation(quadruped_scene())
        if self.STIFFNESS is not None:
            self.simulation.springs.stiffness[:] = self.STIFFNESS
        if self.DAMPING is not None:
            self.simulation.springs.damping[:] = self.DAMPING
        self._start = self.simulation.snapshot()
        self._posture = np.array(self.simulation.springs.target)
        self._standing_height = float(self.simulation.state.base_position[2])
        self._last_action = np.zeros_like(self._posture)
        self.action_space = spaces.Box(-1.0, 1.0, self._posture.shape, np.float32)
        self.observation_space = spaces.Box(-np.inf, np.inf, self._observation().shape, np.float64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        super().reset(seed=seed)
        sim = self.simulation
        sim.restore(self._start)
        sim.springs.target[:] = self._posture
        noise = self.np_random.uniform(-self.JOINT_NOISE, self.JOINT_NOISE, self._posture.shape)
        sim.state.q[7:] += noise
        sim.state.base_position[2] += 0.05  # the feet start in the air, whatever the legs do
        sim.input.clear_wrenches()
        self._last_action = np.zeros_like(self._posture)
        return self._observation(), {}

    def step(self, action: np.ndarray) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        wanted = np.asarray(action, dtype=np.float64)
        # A sum of finite numbers is finite, and quicker to look at.
        if wanted.shape != self._posture.shape or not (isfinite(wanted.sum()) or np.isfinite(wanted).all()):
            raise ValueError(f"the action is {action!r}, expected {len(self._posture)} finite numbers")
        self._last_action = np.minimum(np.maximum(wanted, -1.0), 1.0)
        self.simulation.springs.target[:] = self._posture + self.ACTION_SCALE * self._last_action
        self._disturb()
        failed = False
        try:
            self.simulation.run(self.STEPS_PER_ACTION * self.simulation.dt)
        except footfall.RunFailed:
            failed = True
        observation = self._observation()
        return observation, self._reward(), failed or self._fallen(), False, {}

    def render(self) -> np.ndarray | None:
        """A picture (height × width × 3) with render_mode="rgb_array"; the camera goes with the robot, the ground stays."""
        if self.render_mode is None:
            return None
        width, height = self._picture_size
        target = np.append(self.simulation.state.base_position[:2], 0.5 * self._standing_height)
        return self.simulation.render(width, height, azimuth=-1.1, elevation=0.3, distance=1.6, target=target)

    def _disturb(self) -> None:
        """What pushes the robot during the next action."""

    def _reward(self) -> float:
        raise NotImplementedError

    def _effort(self) -> float:
        torque = self.simulation.result.joint_torque
        return float(torque @ torque)

    def _fallen(self) -> bool:
        return self._height < 0.5 * self._standing_height or self._upright < 0.5

    def _observation(self) -> np.ndarray:
        """Looks at the robot; rewards and falls are told by what was seen."""
        state = self.simulation.state
        q, nu, R_WB = state.q, state.nu, state.base_pose[:3, :3]
        self._height = float(q[2])
        self._upright = float(R_WB[2, 2])  # cosine of the tilt
        velocities_B = nu[:6].reshape(2, 3) @ R_WB
        return np.concatenate([
            q[2:3],
            R_WB[2],
            velocities_B.ravel(),
            q[7:] - self._posture,
            nu[6:],
            self._last_action,
        ])


class StandEnv(QuadrupedEnv):
    """Stay on your feet while somebody pushes: 1 for each action upright at full height, less for tilting, sagging and effort.

    The springs are too weak to carry the robot by themselves: who does nothing sinks to the ground within a second. Moving their targets
    against the errors of the joints holds it up:

        action = -(3.0 * observation[10:22] + 0.1 * observation[22:34]) / 0.3
    """

    PUSH = 40.0  # [N]
    STIFFNESS = 8.0
    DAMPING = 0.5

    def _disturb(self) -> None:
        self.simulation.input.clear_wrenches()
        if self.np_random.random() < 0.1:
            angle = self.np_random.uniform(0.0, 2.0 * np.pi)
            self.simulation.input.add_wrench("trunk", self.PUSH * np.array([np.cos(angle), np.sin(angle), 0.0]))

    def _reward(self) -> float:
        sagging = abs(1.0 - self._height / self._standing_height)
        return self._upright - sagging - 1e-5 * self._effort()


class WalkEnv(QuadrupedEnv):
    """Walk forwards: the speed along x up to 0.5 m/s, less for effort and for walking sideways."""

    SPEED = 0.5  # [m/s]

    def _reward(self) -> float:
        velocity = self.simulation.state.nu
        return float(min(velocity[0], self.SPEED) - 0.5 * abs(velocity[1])) - 1e-5 * self._effort()


class ThreadedVectorEnv(SyncVectorEnv):
    """Many environments in one process, each with all of its wrappers on a thread: the physics releases the GIL.

    `threads` defaults to the cores of the machine; the thread that calls step() is one of them.
    """

    @classmethod
    def of(cls, name: str, num_envs: int = 1, threads: int | None = None, **options: Any) -> ThreadedVectorEnv:
        """What gymnasium.make_vec() calls."""
        return cls([lambda: gymnasium.make(name, **options) for _ in range(num_envs)], threads=threads)

    def __init__(
        self, env_fns: Sequence[Callable[[], Any]], *arguments: Any, threads: int | None = None, **options: Any
    ) -> None:
        super().__init__(env_fns, *arguments, **options)
        wanted = (os.cpu_count() or 1) if threads is None else threads
        if wanted < 1:
            raise ValueError(f"threads is {threads}, expected one or more")
        self._helpers = min(wanted, self.num_envs) - 1  # beside the caller
        self._pool = ThreadPoolExecutor(max(1, self._helpers))

    def step(self, actions: Any) -> tuple[Any, ...]:
        """As SyncVectorEnv.step(), with every turn, resets too, on a thread."""
        each = list(iterate(self.action_space, actions))
        if len(each) != self.num_envs:
            raise ValueError(f"there are {len(each)} actions, expected one for each of {self.num_envs} environments")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._autoreset_envs.any():
            raise ValueError(f"environments {np.flatnonzero(self._autoreset_envs)} have ended, and wait for reset()")
        said = self._take_all_turns(deque(enumerate(each)))
        infos: dict[str, Any] = {}
        for i in range(self.num_envs):
            for info in said[i]:
                if info:
                    infos = self._add_info(infos, info, i)
        self._observations = concatenate(self.single_observation_space, self._env_obs, self._observations)
        self._autoreset_envs = self._terminations | self._truncations
        return (
            deepcopy(self._observations) if self.copy else self._observations,
            self._rewards.copy(),
            self._terminations.copy(),
            self._truncations.copy(),
            infos,
        )

    def _take_all_turns(self, turns: deque[tuple[int, Any]]) -> dict[int, list[dict[str, Any]]]:
        """One task for each thread, not for each environment: handing over costs as much as a third of the physics."""
        said: dict[int, list[dict[str, Any]]] = {}
        helpers = [self._pool.submit(self._take_turns, turns, said) for _ in range(self._helpers)]
        try:
            self._take_turns(turns, said)
        finally:
            wait(helpers)
        for helper in helpers:
            helper.result()
        return said

    def _take_turns(self, turns: deque[tuple[int, Any]], said: dict[int, list[dict[str, Any]]]) -> None:
        while True:
            try:
                i, action = turns.popleft()
            except IndexError:
                return
            said[i] = self._take_turn(i, action)

    def _take_turn(self, i: int, action: Any) -> list[dict[str, Any]]:
        """Leaves what an environment answers in row i; returns what it has to say beside it."""
        env = self.envs[i]
        if self._autoreset_envs[i] and self.autoreset_mode is AutoresetMode.NEXT_STEP:
            self._env_obs[i], info = env.reset()
            self._rewards[i], self._terminations[i], self._truncations[i] = 0.0, False, False
            return [info]
        observation, reward, terminated, truncated, info = env.step(action)
        self._rewards[i], self._terminations[i], self._truncations[i] = reward, terminated, truncated
        if not (terminated or truncated) or self.autoreset_mode is not AutoresetMode.SAME_STEP:
            self._env_obs[i] = observation
            return [info]
        self._env_obs[i], first = env.reset()
        return [{"final_obs": observation, "final_info": info}, first]

    def close_extras(self, **options: Any) -> None:
        self._pool.shutdown()
        super().close_extras(**options)

"""What all tasks share: a Gymnasium VectorEnv over a BatchSimulation. Numpy over all worlds, no loop over them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

import footfall

from ._checks import MOST_SEED, check_count, check_number, check_seed, suggestion
from ._random import WorldRandom
from ._robots import Robot, per_joint, robot_named
from ._rotations import into_base, up_in_base

Floats = npt.NDArray[np.float64]
Observations = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
Worlds = npt.NDArray[np.intp]


def _mode_named(owner: str, mode: AutoresetMode | str) -> AutoresetMode:
    known = [known.value for known in AutoresetMode]
    if not isinstance(mode, AutoresetMode) and mode not in known:
        raise ValueError(f"{owner}: autoreset_mode is {mode!r}, expected one of {', '.join(map(repr, known))}")
    return AutoresetMode(mode)


class BatchEnv(VectorEnv[Observations, npt.NDArray[Any], npt.NDArray[Any]]):
    """Many robots with one task. An action moves the targets of the joints' springs away from the standing posture.

    A task says what is seen (`_observe`), earned (`_reward`), when an episode ends (`_ended`) and how it begins (`_begin`).

    World i has the random numbers of its own seed: it does the same whatever the number of worlds and threads.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 50, "autoreset_mode": AutoresetMode.NEXT_STEP}
    PHYSICS_STEP = 5e-3  # [s]
    STEPS_PER_ACTION = 4

    def __init__(
        self,
        num_envs: int,
        robot: str | Robot,
        *,
        ground: Any,
        whole_body: bool = False,
        episode_seconds: float = 20.0,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        longest_delay: int = 0,
        threads: int = 0,
        render_mode: str | None = None,
        width: int = 480,
        height: int = 360,
    ) -> None:
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode is {render_mode!r}, expected None or 'rgb_array'")
        owner = type(self).__name__
        check_count(owner, "num_envs", num_envs, 1)
        check_number(owner, "episode_seconds", episode_seconds, 0.0, above=True)
        check_count(owner, "width", width, 1)
        check_count(owner, "height", height, 1)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self._picture_size = (width, height)
        self.autoreset_mode = _mode_named(owner, autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.robot = robot_named(robot)
        self._scene = self.robot.scene(ground, step=self.PHYSICS_STEP, whole_body=whole_body)
        with tempfile.TemporaryDirectory(prefix="footfall_") as folder:
            self._write_ground(Path(folder))
            self.batch = footfall.BatchSimulation(self._scene, copies=num_envs, threads=threads, longest_delay=longest_delay)
            self._pictures = footfall.Simulation(self._scene) if render_mode == "rgb_array" else None
        self.dt = self.PHYSICS_STEP * self.STEPS_PER_ACTION  # of an action [s]
        self.max_episode_length = max(1, round(episode_seconds / self.dt))
        self._prepare_robot()
        self._prepare_buffers()

    def _write_ground(self, folder: Path) -> None:
        """Files that `ground` of the scene names, for as long as it is read."""

    def _prepare_robot(self) -> None:
        batch = self.batch
        names = batch.model.joint_names
        self.joint_names = names
        self.posture: Floats = batch.target[0].copy()
        self.standing_height = float(batch.q[0, 2])
        self.stiffness = per_joint(self.robot.stiffness, names)
        self.damping = per_joint(self.robot.damping, names)
        batch.stiffness[:], batch.damping[:] = self.stiffness, self.damping
        self._rest_q: Floats = batch.q[0].copy()
        # What is named here is kept by the batch, from the first step on.
        _ = batch.start_q, batch.start_nu, batch.sole_wrench, batch.joint_torque
        self.num_actions = len(self.posture)
        self._weight = 9.81 * batch.model.mass

    def _prepare_buffers(self) -> None:
        n = self.num_envs
        self._all = np.arange(n)
        self.random = WorldRandom(n)
        self.episode_length: npt.NDArray[np.int64] = np.zeros(n, dtype=np.int64)  # actions since the last reset
        self.action: Floats = np.zeros((n, self.num_actions))
        self.last_action: Floats = np.zeros((n, self.num_actions))
        self._ended_before: Flags = np.zeros(n, dtype=np.bool_)
        self._seeded = False
        self.single_action_space = spaces.Box(-1.0, 1.0, (self.num_actions,), np.float32)
        self.action_space = batch_space(self.single_action_space, n)
        self.single_observation_space = spaces.Box(-np.inf, np.inf, (self.num_observations,), np.float32)
        self.observation_space = batch_space(self.single_observation_space, n)

    # What a task says

    @property
    def num_observations(self) -> int:
        raise NotImplementedError

    def _observe(self) -> Observations:
        raise NotImplementedError

    def _reward(self) -> Floats:
        """Of the action that was just made."""
        raise NotImplementedError

    def _ended(self) -> Flags:
        """Worlds whose episode ends here, by a fall or by a goal."""
        raise NotImplementedError

    def _begin(self, worlds: Worlds) -> None:
        """Sets `batch.start_q`, `batch.start_nu` and what else is drawn anew for an episode."""
        raise NotImplementedError

    def _before_physics(self) -> None:
        """Pushes, and whatever else comes from outside during an action."""

    def _after_physics(self) -> None:
        """What is counted from action to action."""

    def _info(self) -> dict[str, npt.NDArray[Any]]:
        """A number for each world."""
        return {}

    # Gymnasium

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Starts all worlds anew, or those of `options["reset_mask"]`. A seed s gives world i the seed s + i; a list names those of all."""
        mask = self._mask_of(options)
        worlds = np.flatnonzero(mask)
        self._seed(seed, worlds)
        self._ended_before[mask] = False
        self._start(worlds, mask)
        return self._observe(), self._infos()

    def step(self, actions: npt.NDArray[Any]) -> tuple[Observations, Floats, Flags, Flags, dict[str, Any]]:
        actions = np.asarray(actions, dtype=np.float64)
        if actions.shape != self.action.shape:
            raise ValueError(f"the actions have the shape {actions.shape}, expected {self.action.shape}")
        if not self._seeded:
            raise RuntimeError("step() before reset()")
        resets = self._ended_before.copy()
        if self.autoreset_mode is AutoresetMode.DISABLED and resets.any():
            raise RuntimeError(f"worlds {np.flatnonzero(resets)[:8].tolist()} have ended: reset(options={{'reset_mask': …}}) comes before the next step()")
        rewards, terminated, truncated = self._act(actions)
        if self.autoreset_mode is AutoresetMode.NEXT_STEP and resets.any():
            self._start(np.flatnonzero(resets), resets)
            rewards[resets], terminated[resets], truncated[resets] = 0.0, False, False
        ended = terminated | truncated
        info = self._infos()
        if self.autoreset_mode is AutoresetMode.SAME_STEP and ended.any():
            info = self._restart_at_once(ended, info)
            self._ended_before[:] = False
        else:
            self._ended_before[:] = ended
        return self._observe(), rewards, terminated, truncated, info

    def render(self) -> tuple[Any, ...] | None:
        """A picture (height × width × 3) of each world."""
        if self._pictures is None:
            return None
        width, height = self._picture_size
        frames = []
        for world in range(self.num_envs):
            self._pictures.state.q[:] = self.batch.q[world]
            target = self.batch.q[world, :3]
            frames.append(self._pictures.render(width, height, azimuth=-1.1, elevation=0.3, distance=5.0 * self.standing_height, target=target))
        return tuple(frames)

    # How it is done

    def _infos(self) -> dict[str, Any]:
        """With Gymnasium's flags beside each: which worlds it is about."""
        info = self._info()
        return {**info, **{f"_{key}": np.ones(self.num_envs, dtype=np.bool_) for key in info}}

    def _mask_of(self, options: dict[str, Any] | None) -> Flags:
        for key in options or {}:
            if key != "reset_mask":
                raise ValueError(f"there is no option {key!r} of reset(): {suggestion(key, ['reset_mask'])}")
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.ones(self.num_envs, dtype=np.bool_)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(f"options['reset_mask'] must be an array of {self.num_envs} booleans, at least one of them true")
        return mask

    def _seed(self, seed: int | Sequence[int | None] | None, worlds: Worlds) -> None:
        owner = type(self).__name__
        if seed is not None and not isinstance(seed, Iterable):
            seed = check_seed(owner, seed, MOST_SEED - self.num_envs)
        super().reset(seed=seed if isinstance(seed, int) else None)
        if seed is None and self._seeded:
            return
        if seed is None or isinstance(seed, int):
            first = int(self.np_random.integers(2**31)) if seed is None else seed
            seeds: list[int | None] = list(range(first, first + self.num_envs))
        else:
            seeds = [None if s is None else check_seed(owner, s, MOST_SEED) for s in seed]
        if len(seeds) != self.num_envs:
            raise ValueError(f"{owner}: there are {len(seeds)} seeds, expected {self.num_envs}: one for each world")
        drawn = [int(self.np_random.integers(2**31)) if s is None else s for s in seeds]
        self.random.seed(np.array(drawn)[worlds], worlds)
        self._seeded = True
        self._first_episode(worlds)

    def _first_episode(self, worlds: Worlds) -> None:
        """After these worlds were seeded: what goes on from episode to episode starts anew."""

    def _start(self, worlds: Worlds, mask: Flags) -> None:
        self._begin(worlds)
        self.batch.reset(mask)
        self.batch.target[worlds] = self.posture
        self.action[worlds] = self.last_action[worlds] = 0.0
        self.episode_length[worlds] = 0
        self._look()

    def _act(self, actions: Floats) -> tuple[Floats, Flags, Flags]:
        self.last_action[:] = self.action
        self.action[:] = np.clip(actions, -1.0, 1.0)  # one that is no number fails in its world, and in no other
        self.batch.target[:] = self.posture + self.robot.action_scale * self.action
        self._before_physics()
        self.batch.step(self.STEPS_PER_ACTION)
        self.episode_length += 1
        self._look()
        self._after_physics()
        terminated = self._ended() | self.batch.failed
        truncated = (self.episode_length >= self.max_episode_length) & ~terminated
        return np.where(self.batch.failed, 0.0, self._reward()), terminated, truncated

    def _restart_at_once(self, ended: Flags, info: dict[str, Any]) -> dict[str, Any]:
        """Gymnasium wants the last observation of an episode beside the first one of the next."""
        last, worlds = self._observe(), np.flatnonzero(ended)
        final = np.full(self.num_envs, None, dtype=object)
        for world in worlds:  # rows as objects, None for the others: what Gymnasium's wrappers expect
            final[world] = last[world]
        final_info = {key: value & ended if key.startswith("_") else np.where(ended, value, 0) for key, value in info.items()}
        self._start(worlds, ended)
        return {**self._infos(), "final_obs": final, "_final_obs": ended.copy(), "final_info": final_info, "_final_info": ended.copy()}

    def _look(self) -> None:
        """Quantities of the present state that rewards and observations share."""
        q, nu = self.batch.q, self.batch.nu
        attitude = q[:, 3:7]
        self.up = up_in_base(attitude)
        self.velocity = into_base(attitude, nu[:, :3])
        self.turning = into_base(attitude, nu[:, 3:6])
        self.joint_error = q[:, 7:] - self.posture
        self.joint_velocity = nu[:, 6:]

    def _effort(self) -> Floats:
        """Sum of the squared joint torques, as parts of weight × height of the robot."""
        effort: Floats = np.square(self.batch.joint_torque / (self._weight * self.standing_height)).sum(axis=1)
        return effort

    def _foot_forces(self) -> Floats:
        """Of the ground on each foot, (worlds, feet) [N]."""
        wrench = self.batch.sole_wrench.reshape(self.num_envs, -1, 6)
        force: Floats = np.linalg.norm(wrench[:, :, :3], axis=2)
        return force

"""Walking at a commanded velocity, on flat or rough ground."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from ._checks import check_kind, check_number, check_range
from ._robots import Robot
from ._rotations import from_yaw
from ._terrain import Curriculum, TileGround, Tiles
from ._vector_env import BatchEnv, Flags, Floats, Observations, Worlds

Range = tuple[float, float]


@dataclass(frozen=True)
class Commands:
    """What is asked for, drawn anew every `seconds`: velocities forwards and to the left [m/s], turning [rad/s]."""

    forwards: Range = (-1.0, 1.0)
    sideways: Range = (-0.5, 0.5)
    turning: Range = (-1.0, 1.0)
    seconds: float = 10.0

    def __post_init__(self) -> None:
        for name in ("forwards", "sideways", "turning"):
            check_range("Commands", name, getattr(self, name))
        check_number("Commands", "seconds", self.seconds, 0.0, above=True)

    @property
    def low(self) -> Floats:
        return np.array([self.forwards[0], self.sideways[0], self.turning[0]])

    @property
    def high(self) -> Floats:
        return np.array([self.forwards[1], self.sideways[1], self.turning[1]])


@dataclass(frozen=True)
class Randomization:
    """What differs from world to world, drawn anew with each episode."""

    friction: Range = (0.6, 1.25)  # times that of the ground
    gains: Range = (0.9, 1.1)  # of springs and dampers, each joint by itself
    strength: Range = (0.9, 1.1)  # of all motors of a robot together
    payload: Range = (-0.05, 0.1)  # mass at the base's centre of mass, as part of that of the robot
    delay: Range = (0.0, 0.015)  # until a command arrives [s]
    push: float = 0.5  # a sudden change of the velocity of the base, up to this along x and y [m/s]
    push_seconds: float = 8.0  # from one to the next
    noise: float = 0.05  # joint positions at the start [rad]
    mass: Range = (1.0, 1.0)  # of each link by itself, with its inertia, times that of the model; (0.9, 1.1) is usual
    com_shift: float = 0.0  # of the base's centre of mass, up to this along each of its axes [m]; 0.03 is usual

    def __post_init__(self) -> None:
        for name in ("friction", "gains", "strength", "delay"):
            check_range("Randomization", name, getattr(self, name), 0.0)
        check_range("Randomization", "payload", self.payload, -1.0, above=True)
        check_range("Randomization", "mass", self.mass, 0.0, above=True)
        for name in ("push", "noise", "com_shift"):
            check_number("Randomization", name, getattr(self, name), 0.0)
        check_number("Randomization", "push_seconds", self.push_seconds, 0.0, above=True)

    @classmethod
    def none(cls) -> Randomization:
        """Every world is the same."""
        return cls((1.0, 1.0), (1.0, 1.0), (1.0, 1.0), (0.0, 0.0), (0.0, 0.0), 0.0, 8.0, 0.0)


@dataclass(frozen=True)
class Weights:
    """Of the reward, for a second of walking. What is left of it counts where it is above zero: falling down never pays."""

    velocity: float = 1.5
    turning: float = 0.5
    bobbing: float = 1.0  # squared velocity up and down [m²/s²]
    rolling: float = 0.03  # squared turning about x and y [rad²/s²]
    tilt: float = 1.0  # squared horizontal part of the up direction
    effort: float = 0.2
    jerk: float = 0.01  # squared change of the action
    posture: float = 0.05  # squared error of joints [rad²]
    air_time: float = 1.0  # of feet beyond `air_time` of the robot [s], when they land

    def __post_init__(self) -> None:
        for term in fields(self):
            check_number("Weights", term.name, getattr(self, term.name))


def scan_grid() -> Floats:
    """17 × 11 points, 1.6 m × 1 m around the robot."""
    x, y = np.meshgrid(np.linspace(-0.8, 0.8, 17), np.linspace(-0.5, 0.5, 11), indexing="ij")
    return np.stack([x.ravel(), y.ravel()], axis=1)


class VelocityEnv(BatchEnv):
    """Walk as commanded.

    observation, in SI units: velocity (3) and angular velocity (3) of the base in its own axes, direction up (3), command (3), joint positions from
    the posture, joint velocities, the last action, and on rough ground the heights of the ground at 187 points around, from the standing height [m]
    """

    def __init__(
        self,
        num_envs: int = 1,
        robot: str | Robot = "go2",
        *,
        rough: bool | Tiles = False,
        commands: Commands = Commands(),
        randomization: Randomization = Randomization(),
        weights: Weights = Weights(),
        friction: float = 0.8,
        episode_seconds: float = 20.0,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 0,
        render_mode: str | None = None,
        width: int = 480,
        height: int = 360,
    ) -> None:
        check_kind("VelocityEnv", "commands", commands, Commands)
        check_kind("VelocityEnv", "randomization", randomization, Randomization)
        check_kind("VelocityEnv", "weights", weights, Weights)
        if not isinstance(rough, (bool, Tiles)):
            raise TypeError(f"VelocityEnv: rough is {rough!r}, expected True, False or a footfall.rl.Tiles")
        self.commands, self.randomization, self.weights = commands, randomization, weights
        self._friction = friction
        tiles = (rough if isinstance(rough, Tiles) else Tiles()) if rough else None
        self.curriculum = Curriculum(TileGround(tiles), num_envs) if tiles is not None else None
        self._points = scan_grid() if tiles is not None else np.zeros((0, 2))
        super().__init__(
            num_envs, robot, ground={"shape": "plane", "friction": friction}, episode_seconds=episode_seconds, autoreset_mode=autoreset_mode,
            longest_delay=round(randomization.delay[1] / self.PHYSICS_STEP), threads=threads, render_mode=render_mode, width=width, height=height)

    def _write_ground(self, folder: Path) -> None:
        if self.curriculum is not None:
            self._scene["ground"] = self.curriculum.ground.scene(folder / "tiles.csv", self._friction)

    def _prepare_buffers(self) -> None:
        super()._prepare_buffers()
        n, feet = self.num_envs, len(self.robot.feet)
        self.command: Floats = np.zeros((n, 3))
        self.origin: Floats = np.zeros((n, 3))
        self.heights: Floats = np.zeros((n, len(self._points)))
        self._ground_below: Floats = np.zeros(n)
        self._in_air: Floats = np.zeros((n, feet))  # time since a foot has left the ground [s]
        self._landed: Floats = np.zeros(n)  # reward of feet that have just landed
        self._walked: Floats = np.zeros(n)  # commanded distance of this episode [m]
        _ = self.batch.friction

    @property
    def num_observations(self) -> int:
        return 12 + 3 * self.num_actions + len(self._points)

    def _first_episode(self, worlds: Worlds) -> None:
        if self.curriculum is not None:
            self.curriculum.start(worlds, self.random.uniform(0.0, 1.0, worlds, 2))

    def _begin(self, worlds: Worlds) -> None:
        batch, draw = self.batch, self.random.uniform
        if self.curriculum is not None:
            self._change_level(worlds)
            self.origin[worlds] = self.curriculum.origins(worlds)
        batch.start_q[worlds] = self._rest_q
        batch.start_q[worlds, :2] = self.origin[worlds, :2]
        batch.start_q[worlds, 2] += self.origin[worlds, 2]
        batch.start_q[worlds, 3:7] = from_yaw(draw(-np.pi, np.pi, worlds, 1)[:, 0])
        noise = self.randomization.noise
        batch.start_q[worlds, 7:] += draw(-noise, noise, worlds, self.num_actions)
        batch.start_q[worlds, 2] += noise * self.standing_height  # the feet start in the air, whatever the legs do
        batch.start_nu[worlds] = 0.0
        self._draw_robot(worlds)
        self._draw_command(worlds)
        self._in_air[worlds] = 0.0
        self._walked[worlds] = 0.0

    def _change_level(self, worlds: Worlds) -> None:
        assert self.curriculum is not None
        walked = np.linalg.norm(self.batch.q[worlds, :2] - self.origin[worlds, :2], axis=1)
        after = self.episode_length[worlds] > 0  # not before the first episode
        unit = self.random.uniform(0.0, 1.0, worlds, 1)[:, 0]
        self.curriculum.update(worlds[after], walked[after], self._walked[worlds][after], unit[after])

    def _draw_robot(self, worlds: Worlds) -> None:
        r, draw, batch = self.randomization, self.random.uniform, self.batch
        batch.friction[worlds] = draw(*r.friction, worlds, 1)
        strength = draw(*r.strength, worlds, 1)
        batch.stiffness[worlds] = self.stiffness * strength * draw(*r.gains, worlds, self.num_actions)
        batch.damping[worlds] = self.damping * strength * draw(*r.gains, worlds, self.num_actions)
        payload = batch.model.mass * draw(*r.payload, worlds, 1)
        if r.payload != (0.0, 0.0):
            batch.payload[worlds] = payload
        delay = draw(*r.delay, worlds, 1)
        if r.delay[1] > 0.0:
            batch.delay[worlds] = np.round(delay / self.PHYSICS_STEP)
        if r.mass != (1.0, 1.0):
            batch.mass[worlds] = draw(*r.mass, worlds, len(batch.model.links))
        if r.com_shift != 0.0:
            batch.com_shift[worlds] = draw(-r.com_shift, r.com_shift, worlds, 3)

    def _draw_command(self, worlds: Worlds) -> None:
        self.command[worlds] = self.random.uniform(self.commands.low, self.commands.high, worlds, 3)

    def _due(self, seconds: float) -> Worlds:
        return np.flatnonzero(self.episode_length % max(1, round(seconds / self.dt)) == 0)

    def _before_physics(self) -> None:
        if self.randomization.push > 0.0:
            pushed = self._due(self.randomization.push_seconds)
            pushed = pushed[self.episode_length[pushed] > 0]
            self.batch.nu[pushed, :2] += self.random.uniform(-self.randomization.push, self.randomization.push, pushed, 2)

    def _after_physics(self) -> None:
        touching = self._foot_forces() > 0.02 * self._weight
        landing = touching & (self._in_air > 0.0)
        self._in_air += self.dt
        moving = np.linalg.norm(self.command[:, :2], axis=1) > 0.1
        self._landed = moving * ((self._in_air - self.robot.air_time) * landing).sum(axis=1)
        self._in_air[touching] = 0.0
        self._walked += self.dt * np.linalg.norm(self.command[:, :2], axis=1)
        changed = self._due(self.commands.seconds)
        self._draw_command(changed[self.episode_length[changed] < self.max_episode_length])

    def _look(self) -> None:
        super()._look()
        if len(self._points):
            self.batch.height_scan(self._points, out=self.heights)
            self._ground_below = self.heights[:, len(self._points) // 2]
        else:
            self._ground_below = -self.batch.q[:, 2]

    def _ended(self) -> Flags:
        fallen: Flags = (self.up[:, 2] < 0.5) | (-self._ground_below < 0.5 * self.standing_height)
        return fallen

    def _reward(self) -> Floats:
        w = self.weights
        off = np.square(self.command[:, :2] - self.velocity[:, :2]).sum(axis=1)
        off_turning = np.square(self.command[:, 2] - self.turning[:, 2])
        rate = (
            w.velocity * np.exp(-4.0 * off)
            + w.turning * np.exp(-4.0 * off_turning)
            - w.bobbing * np.square(self.velocity[:, 2])
            - w.rolling * np.square(self.turning[:, :2]).sum(axis=1)
            - w.tilt * np.square(self.up[:, :2]).sum(axis=1)
            - w.effort * self._effort()
            - w.jerk * np.square(self.action - self.last_action).sum(axis=1)
            - w.posture * np.square(self.joint_error).sum(axis=1)
            + w.air_time * self._landed
        )
        reward: Floats = self.dt * np.maximum(rate, 0.0)
        return reward

    def _observe(self) -> Observations:
        heights = np.clip(self.heights + self.standing_height, -1.0, 1.0)
        parts = (self.velocity, self.turning, self.up, self.command, self.joint_error, self.joint_velocity, self.action, heights)
        return np.concatenate(parts, axis=1).astype(np.float32)

    def _info(self) -> dict[str, npt.NDArray[Any]]:
        return {} if self.curriculum is None else {"level": self.curriculum.level.astype(np.int64)}

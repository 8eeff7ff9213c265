"""A small quadruped that keeps standing while it is pushed, or walks."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

import footfall

from ._simulation_env import Answer, SimulationEnv

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


class QuadrupedEnv(SimulationEnv):
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
        if not (isinstance(width, int) and isinstance(height, int) and width > 0 and height > 0):
            raise ValueError(f"the picture is {width!r} × {height!r} pixels, expected whole numbers above 0")
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
        if options:
            raise ValueError(f"reset() has no options here, and {', '.join(options)} would change nothing")
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

    @property
    def action_duration(self) -> float:
        return self.STEPS_PER_ACTION * self.simulation.dt

    def prepare(self, action: np.ndarray) -> None:
        wanted, clipped = np.asarray(action, dtype=np.float64), np.empty_like(self._posture)
        if wanted.ndim != 1 or not self.simulation._aim(wanted, self._posture, self.ACTION_SCALE, clipped):
            raise ValueError(f"the action is {action!r}, expected {len(self._posture)} finite numbers")
        self._last_action = clipped
        self._disturb()

    def observe(self, failed: bool) -> Answer:
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

    def _fallen(self) -> bool:
        return self._height < 0.5 * self._standing_height or self._upright < 0.5

    def _observation(self) -> np.ndarray:
        """Looks at the robot; rewards and falls are told by what was seen."""
        joints = len(self._posture)
        seen = np.empty(10 + 3 * joints)
        self._effort = self.simulation._look(seen[: 10 + 2 * joints])  # squared torques of the joints
        self._height, self._upright = seen.item(0), seen.item(3)  # the cosine of the tilt
        seen[10 : 10 + joints] -= self._posture
        seen[10 + 2 * joints :] = self._last_action
        return seen


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
        return self._upright - sagging - 1e-5 * self._effort


class WalkEnv(QuadrupedEnv):
    """Walk forwards: the speed along x up to 0.5 m/s, less for effort and for walking sideways."""

    SPEED = 0.5  # [m/s]

    def _reward(self) -> float:
        velocity = self.simulation.state.nu
        return float(min(velocity[0], self.SPEED) - 0.5 * abs(velocity[1])) - 1e-5 * self._effort

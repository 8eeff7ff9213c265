"""Robots that tasks are made of: their posture, feet and gains. The models are in the package `example-robot-data` (`pip install 'footfall[robots]'`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
import numpy.typing as npt

from ._checks import check_number, suggestion

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Robot:
    """What a task must know of a robot. Patterns such as `*_KFE` stand for several joints; of two that fit, the later counts."""

    model: str
    posture: Mapping[str, float]  # of joints in the standing posture [rad]
    feet: tuple[Mapping[str, Any], ...]  # entries of `contacts` of a scene
    stiffness: Mapping[str, float]  # [N m/rad]
    damping: Mapping[str, float]  # [N m s/rad]
    action_scale: float = 0.25  # what an action of 1 adds to the target of a joint [rad]
    air_time: float = 0.25  # a step with a foot in the air for longer than this is rewarded [s]
    body_contacts: tuple[Mapping[str, Any], ...] = field(default=({"frame": "all", "collision": True},))

    def __post_init__(self) -> None:
        check_number("Robot", "action_scale", self.action_scale, 0.0, above=True)
        check_number("Robot", "air_time", self.air_time, 0.0)
        for name in ("stiffness", "damping"):
            for joint, value in getattr(self, name).items():
                check_number("Robot", f"{name}[{joint!r}]", value, 0.0)

    def scene(self, ground: Any, *, step: float, whole_body: bool = False) -> dict[str, Any]:
        """The robot on its feet, its posture held by springs whose targets a policy moves."""
        return {
            "robot": {"model": self.model, "initial": dict(self.posture), "base": {"on_ground": True}},
            "contacts": [dict(contact) for contact in (self.body_contacts if whole_body else self.feet)],
            "ground": ground,
            "hold": {"stiffness": 1.0, "damping": 1.0, "gravity_compensation": False},
            "physics": {"step": step, "integrator": "semi_implicit_euler"},  # a third of the time of the default
        }


def per_joint(patterns: Mapping[str, float], joints: list[str]) -> Floats:
    """One number for each joint."""
    values = np.full(len(joints), np.nan)
    for pattern, value in patterns.items():
        named = [fnmatchcase(name, pattern) for name in joints]
        if not any(named):
            raise ValueError(f"no joint is called {pattern!r}: {suggestion(pattern, joints)}")
        values[named] = value
    if np.isnan(values).any():
        missing = [name for name, value in zip(joints, values, strict=True) if np.isnan(value)]
        raise ValueError(f"no pattern fits the joints {', '.join(missing)}")
    return values


def _go2_legs(values: Mapping[str, tuple[float, float, float]]) -> dict[str, float]:
    return {f"{leg}_{part}_joint": value for leg, three in values.items() for part, value in zip(("hip", "thigh", "calf"), three, strict=True)}


_DATA = "package://example-robot-data/robots"
_G1_SOLE = [[-0.05, 0.025, -0.03], [-0.05, -0.025, -0.03], [0.12, 0.03, -0.03], [0.12, -0.03, -0.03]]

ROBOTS: dict[str, Robot] = {
    "quadruped": Robot(  # our own, in the wheel
        model="quadruped",
        posture={f"{leg}_{joint}": angle for leg in ("lf", "rf", "lh", "rh") for joint, angle in (("hfe", 0.6), ("kfe", -1.2))},
        feet=tuple({"frame": f"{leg}_foot", "radius": 0.02} for leg in ("lf", "rf", "lh", "rh")),
        stiffness={"*": 60.0},
        damping={"*": 1.5},
    ),
    "go2": Robot(
        model=f"{_DATA}/go2_description/urdf/go2.urdf",
        posture=_go2_legs({"FL": (0.1, 0.8, -1.5), "FR": (-0.1, 0.8, -1.5), "RL": (0.1, 1.0, -1.5), "RR": (-0.1, 1.0, -1.5)}),
        feet=tuple({"frame": f"{leg}_foot", "radius": 0.022} for leg in ("FL", "FR", "RL", "RR")),
        stiffness={"*": 25.0},
        damping={"*": 0.6},
    ),
    "anymal_c": Robot(
        model=f"{_DATA}/anymal_c_simple_description/urdf/anymal.urdf",
        posture={f"{side}{end}_{joint}": sign * angle
                 for side in "LR" for end, sign in (("F", 1.0), ("H", -1.0)) for joint, angle in (("HFE", 0.5), ("KFE", -0.9))},
        feet=tuple({"frame": f"{leg}_FOOT", "footprint": [[0, 0, 0.0225]], "radius": 0.03} for leg in ("LF", "RF", "LH", "RH")),
        stiffness={"*": 90.0},
        damping={"*": 2.5},
        action_scale=0.4,
        air_time=0.3,
    ),
    "g1": Robot(
        model=f"{_DATA}/g1_description/urdf/g1_29dof_rev_1_0.urdf",
        posture={f"{side}_{joint}": angle for side in ("left", "right") for joint, angle in (
            ("hip_pitch_joint", -0.2), ("knee_joint", 0.42), ("ankle_pitch_joint", -0.22), ("elbow_joint", 0.6))}
        | {"left_shoulder_roll_joint": 0.2, "right_shoulder_roll_joint": -0.2},
        feet=tuple({"frame": f"{side}_ankle_roll_link", "footprint": _G1_SOLE, "radius": 0.005} for side in ("left", "right")),
        stiffness={"*": 40.0, "*hip*": 150.0, "*knee*": 200.0, "*ankle*": 40.0, "waist*": 200.0},
        damping={"*": 2.0, "*hip*": 4.0, "*knee*": 5.0, "*ankle*": 2.0, "waist*": 5.0},
        air_time=0.3,
    ),
}


def robot_named(name: str | Robot) -> Robot:
    """One of ours by its name, or a robot of yours as it is."""
    if isinstance(name, Robot):
        return name
    if name not in ROBOTS:
        raise ValueError(f"there is no robot {name!r}: {suggestion(str(name), ROBOTS)} (or a footfall.rl.Robot of yours)")
    return ROBOTS[name]

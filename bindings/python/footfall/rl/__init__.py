"""Learning: many robots with one task, stepped together on all cores.

    from footfall.rl import VelocityEnv

    env = VelocityEnv(1024, "go2")                       # a gymnasium.vector.VectorEnv
    observations, info = env.reset(seed=1)
    observations, rewards, terminated, truncated, info = env.step(actions)

Importing this registers `footfall/Velocity-Go2-v0`, `footfall/VelocityRough-Go2-v0`, `footfall/StandUp-Go2-v0`, and the same with AnymalC, G1 and Quadruped.
`footfall.rl.rsl` has them as rsl-rl wants them. docs/learning.md
"""

from functools import partial
from typing import Any

import gymnasium

from ._policy import Policy
from ._random import WorldRandom
from ._robots import ROBOTS, Robot
from ._single_env import SingleEnv
from ._stand_up import StandUpEnv
from ._terrain import TileGround, Tiles
from ._vector_env import BatchEnv
from ._velocity import Commands, Randomization, VelocityEnv, Weights

__all__ = [
    "BatchEnv",
    "Commands",
    "Policy",
    "ROBOTS",
    "Randomization",
    "Robot",
    "SingleEnv",
    "StandUpEnv",
    "TileGround",
    "Tiles",
    "VelocityEnv",
    "Weights",
    "WorldRandom",
]


def _many(task: type[BatchEnv], options: dict[str, Any], num_envs: int = 1, **more: Any) -> BatchEnv:
    return task(num_envs, **{**options, **more})


def _register() -> None:
    tasks: dict[str, tuple[type[BatchEnv], dict[str, Any]]] = {
        "Velocity": (VelocityEnv, {}),
        "VelocityRough": (VelocityEnv, {"rough": True}),
        "StandUp": (StandUpEnv, {}),
    }
    for task, (kind, options) in tasks.items():
        for robot in ROBOTS:
            title = "".join(part.capitalize() for part in robot.split("_"))
            with_robot = {"robot": robot, **options}
            gymnasium.register(
                id=f"footfall/{task}-{title}-v0",
                entry_point=partial(SingleEnv, kind, **with_robot),
                vector_entry_point=partial(_many, kind, with_robot),
            )


_register()

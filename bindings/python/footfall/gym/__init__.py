"""Environments for Gymnasium: importing this registers `footfall/Stand-v0` and `footfall/Walk-v0`.

    import gymnasium, footfall.gym

    env = gymnasium.make("footfall/Stand-v0")
    many = gymnasium.make_vec("footfall/Walk-v0", num_envs=8)    # physics on threads
"""

import gymnasium

from ._legged import QuadrupedEnv, StandEnv, WalkEnv
from ._simulation_env import SimulationEnv
from ._vector import ThreadedVectorEnv

__all__ = ["QuadrupedEnv", "SimulationEnv", "StandEnv", "ThreadedVectorEnv", "WalkEnv"]

for _name in ("Stand", "Walk"):
    gymnasium.register(
        id=f"footfall/{_name}-v0",
        entry_point=f"footfall.gym:{_name}Env",
        vector_entry_point=lambda name=_name, **options: ThreadedVectorEnv.of(f"footfall/{name}-v0", **options),
        max_episode_steps=500,
    )

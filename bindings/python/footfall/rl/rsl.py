"""Our tasks as rsl-rl wants them. Imported only when asked for: it needs torch, and tensordict for rsl-rl 3 and later.

    from rsl_rl.runners import OnPolicyRunner
    from footfall.rl import VelocityEnv
    from footfall.rl.rsl import RslRlVecEnv

    env = RslRlVecEnv(VelocityEnv(1024, "go2", autoreset_mode="SameStep"))
    OnPolicyRunner(env, configuration, log_dir="logs").learn(500)
"""

from __future__ import annotations

from importlib import metadata
from typing import Any

import numpy as np
import torch
from gymnasium.vector import AutoresetMode

from ._vector_env import BatchEnv, Observations


def _installed_interface() -> str:
    """rsl-rl 3 and later speaks of TensorDicts, before it was tensors."""
    try:
        return "tensordict" if int(metadata.version("rsl-rl-lib").split(".")[0]) >= 3 else "tensor"
    except metadata.PackageNotFoundError:
        return "tensordict"


class RslRlVecEnv:
    """What `rsl_rl.env.VecEnv` describes, over one of our environments, which must restart worlds in the same step.

    `interface` is "tensordict" (rsl-rl 3 and later: observations are TensorDicts with the group "policy") or "tensor" (2.x: get_observations() returns
    (observations, extras)); by default what the installed version wants.
    """

    def __init__(self, env: BatchEnv, device: str = "cpu", interface: str | None = None) -> None:
        if env.autoreset_mode is not AutoresetMode.SAME_STEP:
            raise ValueError("rsl-rl wants worlds that restart at once: make the environment with autoreset_mode='SameStep'")
        self.interface = _installed_interface() if interface is None else interface
        if self.interface not in ("tensordict", "tensor"):
            raise ValueError(f"interface is {interface!r}, expected 'tensordict' or 'tensor'")
        self.env = env
        self.device = device
        self.num_envs = env.num_envs
        self.num_actions = env.num_actions
        self.num_obs = env.num_observations
        self.num_privileged_obs = None
        self.max_episode_length = env.max_episode_length
        self.cfg = {"robot": env.robot.model, "dt": env.dt, "episode_seconds": env.max_episode_length * env.dt}
        self._observations, _ = env.reset(seed=0)

    @property
    def unwrapped(self) -> BatchEnv:
        return self.env

    @property
    def episode_length_buf(self) -> Any:
        """Actions since the last reset of each world. Runners set it, so that not all worlds end together."""
        return torch.as_tensor(self.env.episode_length).to(self.device)

    @episode_length_buf.setter
    def episode_length_buf(self, value: Any) -> None:
        self.env.episode_length[:] = value.cpu().numpy()

    def seed(self, seed: int) -> int:
        self._observations, _ = self.env.reset(seed=seed)
        return seed

    def reset(self) -> tuple[Any, dict[str, Any]]:
        self._observations, _ = self.env.reset()
        return self._packed(self._observations), {}

    def get_observations(self) -> Any:
        packed = self._packed(self._observations)
        return packed if self.interface == "tensordict" else (packed, {"observations": {}})

    def step(self, actions: Any) -> tuple[Any, Any, Any, dict[str, Any]]:
        made = self.env.step(actions.detach().cpu().numpy())
        self._observations, rewards, terminated, truncated, info = made
        extras: dict[str, Any] = {"time_outs": self._tensor(truncated)}
        if self.interface == "tensor":
            extras["observations"] = {}
        extras["log"] = {f"/{key}": float(np.mean(value)) for key, value in info.items() if not key.startswith(("_", "final"))}
        return self._packed(self._observations), self._tensor(rewards.astype(np.float32)), self._tensor(terminated | truncated), extras

    def close(self) -> None:
        self.env.close()

    def _tensor(self, values: Any) -> Any:
        return torch.as_tensor(values).to(self.device)

    def _packed(self, observations: Observations) -> Any:
        tensor = self._tensor(observations)
        if self.interface == "tensor":
            return tensor
        from tensordict import TensorDict

        return TensorDict({"policy": tensor}, batch_size=[self.num_envs], device=self.device)


def _register() -> None:
    """isinstance(env, rsl_rl.env.VecEnv) holds where rsl-rl is installed."""
    try:
        from rsl_rl.env import VecEnv
    except ImportError:
        return
    VecEnv.register(RslRlVecEnv)


_register()

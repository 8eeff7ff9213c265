"""The same task with stable-baselines3, which brings torch:

    pip install 'footfall[gym,robots]' stable-baselines3
    python train_sb3.py --steps 2000000 -o walk.policy

The policy is written as a plain file for the block `Policy`, as train_walk.py does.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecEnv

from footfall.rl import BatchEnv, Policy
from train_walk import evaluate, make_env, require_folder


class Sb3VecEnv(VecEnv):
    """Our worlds as stable-baselines3 wants them: they restart in the same step, and infos are a list."""

    def __init__(self, env: BatchEnv) -> None:
        self.env = env
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)

    def reset(self) -> np.ndarray:
        return self.env.reset(seed=self._seeds[0])[0]

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        observations, rewards, terminated, truncated, info = self.env.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for world in np.flatnonzero(terminated | truncated):
            infos[world] = {"terminal_observation": info["final_obs"][world], "TimeLimit.truncated": bool(truncated[world])}
        return observations, rewards.astype(np.float32), terminated | truncated, infos

    def close(self) -> None:
        self.env.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self.env, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        setattr(self.env, attr_name, value)

    def env_method(self, method_name: str, *arguments: Any, indices: Any = None, **options: Any) -> list[Any]:
        return [getattr(self.env, method_name)(*arguments, **options)] * self.num_envs

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs


def policy_of(model: PPO) -> Policy:
    """The layers of the actor, without its randomness."""
    layers = [*model.policy.mlp_extractor.policy_net, model.policy.action_net]
    return Policy.of([(l.weight.detach().cpu().numpy(), l.bias.detach().cpu().numpy()) for l in layers if hasattr(l, "weight")], activation="tanh")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--robot", default="go2")
    parser.add_argument("--worlds", type=int, default=128)
    parser.add_argument("--steps", type=int, default=2_000_000, help="actions of all worlds together")
    parser.add_argument("-o", "--output", default="walk.policy")
    options = parser.parse_args()
    require_folder(parser, options.output)
    env = Sb3VecEnv(make_env(options.robot, options.worlds))
    env.seed(1)
    model = PPO("MlpPolicy", env, n_steps=24, batch_size=24 * options.worlds // 4, n_epochs=5, learning_rate=5e-4, gamma=0.99, gae_lambda=0.95,
                ent_coef=0.002, target_kl=0.04, policy_kwargs={"log_std_init": float(np.log(0.6)), "net_arch": [64, 64]}, seed=1, verbose=1, device="cpu")
    model.learn(options.steps)
    policy = policy_of(model)
    policy.save(options.output)
    print(evaluate(policy, options.robot))


if __name__ == "__main__":
    main()

"""Augmented random search (Mania, Guy, Recht 2018) in numpy: a linear policy, tried with small changes in many worlds at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from footfall.rl import BatchEnv, Policy

from numpy_ppo import Normalizer


class Ars:
    """Half of the worlds try a change of the policy, the other half its opposite; the best changes are followed."""

    def __init__(self, env: BatchEnv, seed: int, *, step: float = 0.02, noise: float = 0.03, best: float = 0.5, actions: int = 250) -> None:
        self.env, self.step, self.noise, self.actions = env, step, noise, actions
        self.rng = np.random.default_rng(seed)
        self.pairs = env.num_envs // 2
        self.best = max(1, int(best * self.pairs))
        self.weights = np.zeros((env.num_actions, env.num_observations))
        self.normalizer = Normalizer(env.num_observations)
        self.seed = seed

    def policy(self) -> Policy:
        return Policy.of([(self.weights, np.zeros(len(self.weights)))], mean=self.normalizer.mean, deviation=self.normalizer.deviation)

    def update(self) -> dict[str, float]:
        change = self.rng.standard_normal((self.pairs, *self.weights.shape))
        earned = self._try(np.concatenate([self.weights + self.noise * change, self.weights - self.noise * change]))
        plus, minus = earned[: self.pairs], earned[self.pairs :]
        chosen = np.argsort(-np.maximum(plus, minus))[: self.best]
        spread = np.concatenate([plus[chosen], minus[chosen]]).std() + 1e-8
        self.weights += self.step / (self.best * spread) * np.tensordot(plus[chosen] - minus[chosen], change[chosen], axes=1)
        return {"return": float(earned.mean()), "reward": float(earned.mean() / (self.actions * self.env.dt))}

    def _try(self, weights: np.ndarray) -> np.ndarray:
        """What each world earns with weights of its own until it falls. Both of a pair meet the same random numbers."""
        self.seed += 1
        observations, _ = self.env.reset(seed=[self.seed * self.pairs + k for k in range(self.pairs)] * 2)
        earned, walking = np.zeros(len(weights)), np.ones(len(weights), dtype=bool)
        for _ in range(self.actions):
            self.normalizer.update(observations[walking])
            actions = np.clip(np.einsum("nij,nj->ni", weights, self.normalizer(observations)), -1, 1)
            observations, rewards, terminated, truncated, _ = self.env.step(actions)
            earned += walking * rewards
            walking &= ~(terminated | truncated)
            if not walking.any():
                break
        return earned


def train(env: BatchEnv, updates: int, seed: int,
          tell: Callable[[int, Ars, dict[str, float]], bool] = lambda number, learner, result: True) -> Ars:
    learner = Ars(env, seed)
    for number in range(updates):
        if not tell(number, learner, learner.update()):
            break
    return learner

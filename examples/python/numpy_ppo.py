"""Proximal policy optimisation (Schulman et al. 2017) in numpy: small enough to be read, fast enough to make a quadruped walk on two cores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from footfall.rl import BatchEnv, Policy


class Network:
    """Full layers with ELU in between, and their gradients."""

    def __init__(self, sizes: list[int], last_scale: float, rng: np.random.Generator) -> None:
        self.parameters: list[np.ndarray] = []
        for k, (inputs, outputs) in enumerate(zip(sizes[:-1], sizes[1:])):
            scale = last_scale if k + 2 == len(sizes) else 1.0
            self.parameters.append((scale * rng.standard_normal((outputs, inputs)) * np.sqrt(2.0 / inputs)).astype(np.float32))
            self.parameters.append(np.zeros(outputs, dtype=np.float32))

    def forward(self, x: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
        """The result, and what backward() needs: the inputs of each layer."""
        inputs = []
        for k in range(0, len(self.parameters), 2):
            inputs.append(x)
            x = x @ self.parameters[k].T + self.parameters[k + 1]
            if k + 2 < len(self.parameters):
                x = np.maximum(x, np.exp(np.minimum(x, 0)) - 1)
        return x, inputs

    def backward(self, slope: np.ndarray, inputs: list[np.ndarray]) -> list[np.ndarray]:
        """Gradients of the parameters, from the gradient of the result."""
        gradients: list[np.ndarray] = []
        for k in reversed(range(0, len(self.parameters), 2)):
            x = inputs[k // 2]
            gradients += [slope.sum(axis=0), slope.T @ x]
            if k > 0:
                slope = (slope @ self.parameters[k]) * np.minimum(x + 1, 1)  # of ELU, from its result
        return gradients[::-1]


class Adam:
    """Kingma and Ba 2015."""

    def __init__(self, parameters: list[np.ndarray]) -> None:
        self.parameters = parameters
        self.first = [np.zeros_like(p) for p in parameters]
        self.second = [np.zeros_like(p) for p in parameters]
        self.count = 0

    def step(self, gradients: list[np.ndarray], rate: float, most: float = 1.0) -> None:
        norm = np.sqrt(sum(float(np.square(g).sum()) for g in gradients))
        self.count += 1
        for p, g, m, v in zip(self.parameters, gradients, self.first, self.second):
            g = g * min(1.0, most / (norm + 1e-8))
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            p -= rate * (m / (1 - 0.9**self.count)) / (np.sqrt(v / (1 - 0.999**self.count)) + 1e-8)


class Normalizer:
    """Mean and deviation of all observations so far."""

    def __init__(self, size: int) -> None:
        self.mean, self.square, self.count = np.zeros(size), np.ones(size), 1e-4

    def update(self, x: np.ndarray) -> None:
        self.count += len(x)
        share = len(x) / self.count
        self.mean += share * (x.mean(axis=0) - self.mean)
        self.square += share * (np.square(x).mean(axis=0) - self.square)

    @property
    def deviation(self) -> np.ndarray:
        return np.sqrt(np.maximum(self.square - self.mean**2, 1e-4))

    def __call__(self, x: np.ndarray) -> np.ndarray:
        return np.clip((x - self.mean) / self.deviation, -10, 10).astype(np.float32)


@dataclass
class Settings:
    """As usual for legged robots; all of them may be left as they are."""

    hidden: list[int] = field(default_factory=lambda: [64, 64])
    steps: int = 24  # of each world between updates
    epochs: int = 5
    parts: int = 4  # that the samples of an epoch are taken in
    discount: float = 0.99
    smoothing: float = 0.95  # λ of generalised advantages
    clip: float = 0.2
    rate: float = 5e-4  # of learning at the start; it follows the change of the policy from then on
    change: float = 0.02  # of the policy in an update that is aimed at (Kullback–Leibler)
    entropy: float = 0.002
    deviation: float = 0.6  # of actions at the start


class Ppo:
    def __init__(self, env: BatchEnv, settings: Settings, seed: int) -> None:
        self.env, self.settings = env, settings
        self.rng = np.random.default_rng(seed)
        self.actor = Network([env.num_observations, *settings.hidden, env.num_actions], 0.01, self.rng)
        self.critic = Network([env.num_observations, *settings.hidden, 1], 1.0, self.rng)
        self.log_deviation = np.full(env.num_actions, np.log(settings.deviation), dtype=np.float32)
        self.optimizer = Adam([*self.actor.parameters, *self.critic.parameters, self.log_deviation])
        self.normalizer = Normalizer(env.num_observations)
        self.rate = settings.rate
        self.observations, _ = env.reset(seed=seed)
        env.episode_length[:] = self.rng.integers(env.max_episode_length, size=env.num_envs)  # not all of them end together
        self.returns = np.zeros(env.num_envs)
        self.finished: list[float] = []  # returns of episodes that ended in this update
        self.lengths: list[float] = []  # and how long they were [actions]
        self.earned = 0.0

    def policy(self) -> Policy:
        """What was learned so far, without its randomness."""
        p = self.actor.parameters
        return Policy.of(list(zip(p[::2], p[1::2])), activation="elu", mean=self.normalizer.mean, deviation=self.normalizer.deviation)

    def update(self) -> dict[str, float]:
        """Some steps of all worlds, and what is learned from them."""
        self.finished, self.lengths, self.earned = [], [], 0.0
        batch = self._collect()
        self._learn(batch)
        nan = float("nan")
        return {
            "return": float(np.mean(self.finished)) if self.finished else nan,
            "length": float(np.mean(self.lengths)) if self.lengths else nan,
            "reward": self.earned / (self.settings.steps * self.env.dt),
            "deviation": float(np.exp(self.log_deviation).mean()),
            "rate": self.rate,
        }

    def _value(self, x: np.ndarray) -> np.ndarray:
        return self.critic.forward(x)[0][:, 0]

    def _log_likelihood(self, actions: np.ndarray, mean: np.ndarray) -> np.ndarray:
        off = (actions - mean) / np.exp(self.log_deviation)
        return -0.5 * np.square(off).sum(axis=1) - self.log_deviation.sum()

    def _collect(self) -> dict[str, np.ndarray]:
        s, env = self.settings, self.env
        rows: dict[str, list[np.ndarray]] = {key: [] for key in ("x", "actions", "mean", "likelihood", "values", "rewards", "ended")}
        for _ in range(s.steps):
            self.normalizer.update(self.observations)
            x = self.normalizer(self.observations)
            mean, _ = self.actor.forward(x)
            actions = mean + np.exp(self.log_deviation) * self.rng.standard_normal(mean.shape, dtype=np.float32)
            lengths = env.episode_length + 1
            self.observations, rewards, terminated, truncated, info = env.step(actions)
            self.returns += rewards
            self.earned += float(rewards.mean())
            ended = terminated | truncated
            if truncated.any():  # the time was over, not the walk: what would have come counts
                last = self.normalizer(np.stack(list(info["final_obs"][truncated])))
                rewards = rewards.copy()
                rewards[truncated] += s.discount * self._value(last)
            self.finished += self.returns[ended].tolist()
            self.lengths += lengths[ended].tolist()
            self.returns[ended] = 0.0
            made = (x, actions, mean, self._log_likelihood(actions, mean), self._value(x), rewards.astype(np.float32), ended)
            for key, value in zip(rows, made):
                rows[key].append(value)
        batch = {key: np.stack(value) for key, value in rows.items()}
        batch["advantages"] = self._advantages(batch, self._value(self.normalizer(self.observations)))
        return batch

    def _advantages(self, batch: dict[str, np.ndarray], after: np.ndarray) -> np.ndarray:
        """Generalised advantages (Schulman et al. 2016)."""
        s, advantage = self.settings, np.zeros(self.env.num_envs, dtype=np.float32)
        advantages = np.empty_like(batch["rewards"])
        for t in reversed(range(s.steps)):
            goes_on = ~batch["ended"][t]
            surprise = batch["rewards"][t] + s.discount * after * goes_on - batch["values"][t]
            advantages[t] = advantage = surprise + s.discount * s.smoothing * goes_on * advantage
            after = batch["values"][t]
        return advantages

    def _learn(self, batch: dict[str, np.ndarray]) -> None:
        s = self.settings
        flat = {key: value.reshape(-1, *value.shape[2:]) for key, value in batch.items()}
        targets = flat["advantages"] + flat["values"]
        advantages = (flat["advantages"] - flat["advantages"].mean()) / (flat["advantages"].std() + 1e-8)
        before = np.exp(self.log_deviation)
        for _ in range(s.epochs):
            for part in np.array_split(self.rng.permutation(len(targets)), s.parts):
                x, actions, count = flat["x"][part], flat["actions"][part], len(part)
                mean, inputs = self.actor.forward(x)
                deviation = np.exp(self.log_deviation)
                ratio = np.exp(np.clip(self._log_likelihood(actions, mean) - flat["likelihood"][part], -20, 20))
                a = advantages[part]
                active = np.where(a > 0, ratio < 1 + s.clip, ratio > 1 - s.clip)
                pull = (a * ratio * active / count)[:, None]  # of the likelihood, upwards
                off = (actions - mean) / deviation
                actor_slopes = self.actor.backward(-pull * off / deviation, inputs)
                deviation_slope = -(pull * (off**2 - 1)).sum(axis=0) - s.entropy
                value, inputs = self.critic.forward(x)
                critic_slopes = self.critic.backward(2 * (value - targets[part][:, None]) / count, inputs)
                slopes = [*actor_slopes, *critic_slopes, deviation_slope]
                self.optimizer.step([g.astype(np.float32) for g in slopes], self.rate)
        self._follow_change(self.actor.forward(flat["x"])[0], flat["mean"], before)

    def _follow_change(self, mean: np.ndarray, old: np.ndarray, before: np.ndarray) -> None:
        """A policy that changes too fast learns more slowly, and the other way round."""
        deviation = np.exp(self.log_deviation)
        change = (np.log(deviation / before) + (before**2 + np.square(mean - old)) / (2 * deviation**2) - 0.5).sum(axis=1).mean()
        if change > 2 * self.settings.change:
            self.rate = max(3e-5, self.rate / 1.3)
        elif change < 0.5 * self.settings.change:
            self.rate = min(3e-3, self.rate * 1.3)


def train(env: BatchEnv, updates: int, seed: int, settings: Settings | None = None,
          tell: Callable[[int, Ppo, dict[str, float]], bool] = lambda number, learner, result: True) -> Ppo:
    """Learns until `tell` says no."""
    learner = Ppo(env, settings or Settings(), seed)
    for number in range(updates):
        if not tell(number, learner, learner.update()):
            break
    return learner

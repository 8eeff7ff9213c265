"""A quadruped learns to walk at a commanded speed, with nothing but numpy:

    pip install 'footfall[gym,robots]'
    python train_walk.py --minutes 20 -o walk.policy          # proximal policy optimisation
    python train_walk.py --method ars --robot quadruped       # augmented random search
    python train_walk.py --show walk.policy                   # how well it walks

The policy is a plain file: the block `Policy` of diagrams reads it (scenes/go2_walk.yaml). docs/learning.md shows a run.
"""

from __future__ import annotations

import argparse
import csv
import os
import time
from pathlib import Path

# Before numpy is imported: its products are too small here to be shared among cores. On a machine that does something
# else as well their threads wait for each other, and learning took 15 times as long.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import numpy_ars
import numpy_ppo
from footfall.rl import ROBOTS, Commands, Policy, Randomization, VelocityEnv

COMMANDS = Commands(forwards=(0.2, 1.0), sideways=(-0.2, 0.2), turning=(-0.5, 0.5))


def make_env(robot: str, worlds: int, threads: int = 0, episode_seconds: float = 20.0) -> VelocityEnv:
    return VelocityEnv(worlds, robot, commands=COMMANDS, autoreset_mode="SameStep", threads=threads, episode_seconds=episode_seconds)


def evaluate(policy: Policy, robot: str, speed: float = 0.5, worlds: int = 32, seconds: float = 10.0) -> dict[str, float]:
    """How a policy follows a command forwards, without its randomness but with that of the worlds: pushes, friction, gains …"""
    commands = Commands(forwards=(speed, speed), sideways=(0.0, 0.0), turning=(0.0, 0.0))
    env = VelocityEnv(worlds, robot, commands=commands, randomization=Randomization(), autoreset_mode="SameStep", episode_seconds=seconds)
    observations, _ = env.reset(seed=12345)
    speeds, fallen, actions = [], np.zeros(worlds, dtype=bool), round(seconds / env.dt)
    for k in range(actions):
        observations, _, terminated, _, _ = env.step(policy(observations))
        fallen |= terminated
        if k >= actions // 5:
            speeds.append(env.velocity[~fallen, 0])
    walked = np.concatenate(speeds) if speeds and not fallen.all() else np.array([np.nan])
    return {"commanded": speed, "speed": float(walked.mean()), "error": float(np.abs(walked - speed).mean()), "fallen": float(fallen.mean())}


class Teller:
    """Prints a line for each update, keeps the curve, and saves the policy now and then."""

    def __init__(self, env: VelocityEnv, options: argparse.Namespace) -> None:
        self.env, self.options = env, options
        self.start, self.cpu, self.actions = time.monotonic(), time.process_time(), 0
        self.rows: list[dict[str, float]] = []

    def __call__(self, number: int, learner: numpy_ppo.Ppo | numpy_ars.Ars, result: dict[str, float]) -> bool:
        self.actions += self.env.num_envs * (learner.settings.steps if isinstance(learner, numpy_ppo.Ppo) else learner.actions)
        seconds = time.monotonic() - self.start
        row = {"time [s]": seconds, "cpu [s]": time.process_time() - self.cpu, "actions": self.actions, **result}
        self.rows.append(row)
        print(f"{number:5d} {seconds:8.1f} s {self.actions / 1e6:7.2f} M actions  " + "  ".join(f"{k} {v:.4g}" for k, v in result.items()), flush=True)
        done = seconds > 60 * self.options.minutes
        if number % 20 == 0 or done:
            self.save(learner.policy())
        return not done

    def save(self, policy: Policy) -> None:
        policy.about = f"{self.options.robot} at a commanded velocity, {self.actions / 1e6:.2f} million actions, seed {self.options.seed}"
        policy.save(self.options.output)
        with open(self.options.output + ".csv", "w", newline="") as file:
            writer = csv.DictWriter(file, list(self.rows[0]))
            writer.writeheader()
            writer.writerows(self.rows)


def require_folder(parser: argparse.ArgumentParser, output: str) -> None:
    """Before minutes of learning, and not after them."""
    if not Path(output).absolute().parent.is_dir():
        parser.error(f"--output: there is no folder for {output!r}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--method", choices=["ppo", "ars"], default="ppo")
    parser.add_argument("--robot", default="go2", help="go2, anymal_c, g1 or quadruped")
    parser.add_argument("--worlds", type=int, default=128)
    parser.add_argument("--threads", type=int, default=0, help="of the physics; 0: one for each core")
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--updates", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", default="walk.policy")
    parser.add_argument("--show", metavar="POLICY", help="only say how well this policy walks")
    options = parser.parse_args()
    if options.robot not in ROBOTS:
        parser.error(f"--robot: there is no {options.robot!r}, expected one of {', '.join(ROBOTS)}")
    if not options.minutes > 0.0 or options.updates < 1:
        parser.error(f"nothing is learned in {options.minutes:g} minutes and {options.updates} updates")
    if options.worlds < 1 or (options.method == "ars" and options.worlds % 2 == 1):
        parser.error(f"--worlds is {options.worlds}, expected 1 or more, and an even number with --method ars")
    if options.show is not None and not Path(options.show).is_file():
        parser.error(f"--show: there is no file {options.show!r}")
    if options.show is None:
        require_folder(parser, options.output)
        env = make_env(options.robot, options.worlds, options.threads)
        tell = Teller(env, options)
        learner = {"ppo": numpy_ppo, "ars": numpy_ars}[options.method].train(env, options.updates, options.seed, tell=tell)
        tell.save(learner.policy())
    for speed in (0.2, 0.5, 0.8):
        print(evaluate(Policy.load(options.show or options.output), options.robot, speed))


if __name__ == "__main__":
    main()

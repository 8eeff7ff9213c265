"""Learning on a budget of seconds: the trainers of examples/python earn more at the end than at the start, with a fixed seed."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("gymnasium")
yaml = pytest.importorskip("yaml")
EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "python"
WALK = Path(__file__).resolve().parents[2] / "scenes" / "go2_walk.yaml"
sys.path.insert(0, str(EXAMPLES))

import numpy_ars  # noqa: E402
import numpy_ppo  # noqa: E402

import footfall as ff  # noqa: E402
from footfall.rl import ROBOTS, Commands, Policy, Randomization, VelocityEnv, Weights  # noqa: E402


def still_env(worlds):
    """Stand still on command, with front legs that are too short: who does nothing stands on a slant. What can be learned in seconds."""
    ours = ROBOTS["quadruped"]
    bent = {**ours.posture, "lf_hfe": 0.9, "rf_hfe": 0.9, "lf_kfe": -1.8, "rf_kfe": -1.8}
    return VelocityEnv(worlds, replace(ours, posture=bent, action_scale=0.5), commands=Commands((0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
                       randomization=Randomization.none(), weights=Weights(tilt=20.0, air_time=0.0), autoreset_mode="SameStep", threads=1, episode_seconds=4.0)


def test_proximal_policy_optimisation_learns():
    def rewards_of(updates):
        rewards = []
        settings = numpy_ppo.Settings(rate=2e-3, deviation=0.3)
        learner = numpy_ppo.train(still_env(32), updates, 3, settings, lambda number, learner, result: rewards.append(result["reward"]) or True)
        return learner, rewards

    learner, rewards = rewards_of(45)
    # In the first update the robots are still falling onto their feet. Updates differ by 0.05 from each other.
    early, late = np.mean(rewards[1:7]), np.mean(rewards[-6:])
    assert late > early + 0.1, rewards
    assert rewards_of(2)[1] == rewards[:2], "a seed decides everything"
    assert isinstance(learner.policy(), Policy)


def test_gradients_are_those_of_differences():
    rng = np.random.default_rng(0)
    network = numpy_ppo.Network([3, 5, 4, 2], 1.0, rng)
    network.parameters = [p.astype(np.float64) for p in network.parameters]
    x, pull = rng.normal(size=(6, 3)), rng.normal(size=(6, 2))
    gradients = network.backward(pull, network.forward(x)[1])
    for parameter, gradient in zip(network.parameters, gradients):
        for index in np.ndindex(parameter.shape):
            h, kept = 1e-6, parameter[index]
            values = []
            for shift in (h, -h):
                parameter[index] = kept + shift
                values.append((pull * network.forward(x)[0]).sum())
            parameter[index] = kept
            # Second derivatives of ELU are below 1, numbers around 10: h² and rounding 1e-15 / h.
            assert gradient[index] == pytest.approx((values[0] - values[1]) / (2 * h), abs=1e-7)


def test_augmented_random_search_learns():
    rewards = []
    learner = numpy_ars.Ars(still_env(32), seed=1, actions=50)
    learner.weights[:] = np.random.default_rng(5).normal(0.0, 0.2, learner.weights.shape)  # a policy that falls over its feet
    for _ in range(12):
        rewards.append(learner.update()["reward"])
    assert np.mean(rewards[-3:]) > np.mean(rewards[:3]) + 0.05, rewards


def test_the_trainer_writes_a_policy_and_a_curve(tmp_path):
    output = tmp_path / "walk.policy"
    command = [sys.executable, str(EXAMPLES / "train_walk.py"), "--robot", "quadruped", "--worlds", "8", "--updates", "2", "--threads", "1", "-o", str(output)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "commanded" in done.stdout
    policy = Policy.load(output)
    assert len(policy.mean) == 48 and policy(np.zeros(48)).shape == (12,)
    rows = Path(f"{output}.csv").read_text().splitlines()
    assert rows[0].startswith("time [s],cpu [s],actions,return") and len(rows) == 3


def test_the_trainer_keeps_products_of_numpy_to_one_thread():
    """Small products that are shared among cores wait for each other wherever another program runs."""
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    code = f"import os, sys; sys.path.insert(0, {str(EXAMPLES)!r}); import train_walk; print(len(os.listdir('/proc/self/task')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.split() == ["1"]


@pytest.mark.parametrize("options, problem", [
    (["--minutes", "nan"], "nothing is learned"), (["--updates", "0"], "nothing is learned"), (["--worlds", "0"], "--worlds is 0"),
    (["--method", "ars", "--worlds", "3"], "an even number"), (["--robot", "go3"], "no 'go3'"), (["--show", "nothing.policy"], "no file 'nothing.policy'"),
    (["-o", "no_such_folder/walk.policy"], "no folder for 'no_such_folder/walk.policy'")])
def test_the_trainer_refuses_what_it_cannot_do(tmp_path, options, problem):
    command = [sys.executable, str(EXAMPLES / "train_walk.py"), "--robot", "quadruped", "-o", str(tmp_path / "walk.policy"), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and problem in done.stderr, done.stderr
    assert not list(tmp_path.iterdir())


# The policy that was learned: scenes/go2_walk.yaml


def without_diagram():
    scene = yaml.safe_load(WALK.read_text())
    del scene["diagram"], scene["pushes"], scene["view"]
    return scene


def felt(state, command, posture, action):
    R = state.base_pose[:3, :3]
    return np.concatenate([R.T @ state.nu[:3], R.T @ state.nu[3:6], R[2], command, state.q[7:] - posture, state.nu[6:], action])


def test_the_block_does_what_the_policy_does_in_python():
    run = ff.Diagram.load(WALK).start()
    sim = ff.Simulation(without_diagram())
    policy = Policy.load(WALK.parent / "policies" / "go2_walk.policy")
    posture, action = sim.state.q[7:].copy(), np.zeros(12)
    for k in range(10):
        action = policy(felt(sim.state, [0.5, 0.0, 0.0], posture, action))
        sim.springs.target[:] = posture + 0.25 * action
        sim.run(0.02)
        run.run(0.02)
        # Sums in another order differ by 1e-16, which 200 steps with contacts multiply.
        assert np.abs(run.signal("policy.out") - action).max() < 1e-7, f"action {k}"


def test_the_learned_policy_walks_at_its_command_and_takes_a_push(command, tmp_path):
    log = tmp_path / "walk.csv"
    subprocess.run([command, "run", str(WALK), "--duration", "7", "--log", str(log), "--quiet"], check=True)
    rows = ff.read_log(log)
    time, place = rows["time"], rows["base.position"]
    first, second = np.searchsorted(time, [1.0, 4.0])
    speed = (place[second, 0] - place[first, 0]) / 3.0
    assert abs(speed - 0.5) < 0.15, "within 30 % of what is commanded"
    assert place[second:, 2].min() > 0.2, "60 N for 0.2 s from the side do not bring it down"

"""A user's program that uses every class; tests/python/test_types.py lets mypy look at it, nobody runs it."""

import pickle
from pathlib import Path

import numpy as np

import footfall as ff
from footfall import gym, rl


class Shift(ff.Block):
    def declare(self, io: ff.BlockInterface) -> None:
        io.input("in", unit="m")
        io.output("out", depends_on=["in"])

    def outputs(self, e: ff.Evaluation) -> None:
        e["out"] = e["in"] + 1.0 + e.time


class Still(ff.ContactModel):
    def solve(self, inputs: ff.ContactStepInputs) -> np.ndarray:
        return np.zeros((inputs.contacts, 3))


class Forward(ff.Integrator):
    def advance(self, step: ff.FreeStep) -> tuple[np.ndarray, np.ndarray]:
        return step.q, step.nu


class Pushed(gym.SimulationEnv):
    action_duration = 0.02

    def prepare(self, action: np.ndarray) -> None:
        self.simulation.input.add_wrench("box", force=[float(action[0]), 0.0, 0.0])

    def observe(self, failed: bool) -> tuple[np.ndarray, float, bool, bool, dict[str, object]]:
        return self.simulation.state.q.copy(), 0.0, failed, False, {}


def side_by_side(path: Path) -> bool:
    workers = ff.Workers(2)
    return all(workers.run([ff.Simulation(path), ff.Simulation(path)], [0.1, 0.2])) and workers.threads == 2


def learn() -> float:
    env = rl.VelocityEnv(8, "go2", rough=rl.Tiles(levels=2), commands=rl.Commands(forwards=(0.0, 1.0)), autoreset_mode="SameStep")
    observations, info = env.reset(seed=1)
    policy = rl.Policy.of([(np.zeros((env.num_actions, env.num_observations)), np.zeros(env.num_actions))])
    observations, rewards, terminated, truncated, info = env.step(policy(observations))
    return float(rewards.mean()) + len(info) + float(observations[0, 0])


def control(path: Path) -> None:
    with ff.RealTimeClient(path) as robot:
        for sample in robot:
            robot.command(-1.0 * sample.nu[6:])


def scan(batch: ff.BatchSimulation) -> float:
    return float(batch.height_scan([[0.0, 0.0]])[0, 0]) + float(batch.cast_rays([0.0, 0.0, 1.0])[0, 0])


def simulate_many(path: Path) -> float:
    batch = ff.BatchSimulation(path, copies=8, threads=2, set={"physics.step": 1e-3})
    batch.friction[:] = 0.9
    batch["push"] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    batch.step(10)
    batch.reset(batch.failed | (batch.q[:, 2] < 0.1))
    return float(batch.nu.max()) + int(batch.status[0]) + batch.quantities["q"][0]


def simulate(path: Path) -> float:
    simulation = ff.Simulation(path)
    simulation.state.joint["l_knee"] = -0.3
    names: list[str] = simulation.state.joint_names
    values: dict[str, float] = simulation.state.joint.to_dict()
    simulation.input.add_wrench(simulation.model.link_names[0], force=[1.0, 0.0, 0.0])

    def control(running: ff.Simulation) -> None:
        running.input.tau[:] = 0.0

    simulation.run(0.1, controller=control)
    result: ff.StepResult = simulation.step().copy()
    model: ff.Model = pickle.loads(pickle.dumps(simulation.model))
    mass: float = model.mass
    system: ff.LinearSystem = simulation.linearize()
    state: ff.State = pickle.loads(pickle.dumps(simulation.state))
    instant, numbers = simulation.read("imu.acceleration")
    springs = simulation.springs
    if springs is not None:
        springs.target[:] = 0.0
    failed: bool = result.status == ff.SolveStatus.failed
    return float(system.A[0, 0]) + state.time + instant + float(numbers[0]) + len(names) + len(values) + failed + mass


def diagram(path: Path) -> float:
    builder = ff.DiagramBuilder()
    builder.add("shift", Shift())
    builder.add("gain", "Gain", factor=2.0)
    builder.connect("shift.out", "gain.in")
    run: ff.DiagramRun = builder.build(solver="rk45", tolerance=1e-8).start()
    run.run(1.0)
    times, samples = ff.Diagram.load(path).start().scope("scope")
    return float(run.signal("gain.out")[0]) + float(times[0]) + float(samples[0, 0])


def read(path: Path) -> float:
    log = ff.read_log(path)
    channel: ff.Channel = log.channels["base.position"]
    notes: dict[str, str] = log.notes
    return float(log["base.position"][0, 0]) + len(channel.name) + len(notes) + len(ff.__version__)

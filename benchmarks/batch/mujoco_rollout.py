"""Steps a second of a batch, beside MuJoCo's rollout of the same robot on the same cores, in turns within one run.

    cmake --build build/release --target footfall_python bench_batch_mjcf
    pip install --target /tmp/mujoco --no-deps mujoco==3.3.7
    PYTHONPATH=build/release/python:/tmp/mujoco .venv/bin/python benchmarks/batch/mujoco_rollout.py scenes/icub.yaml

Times are processor time of the whole process (all threads), so that other work on the machine does not count; the gain of a second thread is by the
clock, and only says something on a machine that is idle.
"""

import argparse
import os
import statistics
import subprocess
import tempfile
import time

import footfall as ff
import mujoco
import numpy as np
from mujoco import rollout


def timed(call):
    clock, cpu = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - clock, time.process_time() - cpu


def settled(scene, copies, push):
    sim = ff.Simulation(scene)
    for _ in range(3000):
        sim.step()
    angle = np.random.default_rng(1).uniform(0, 2 * np.pi, copies)
    q, nu = np.tile(sim.state.q, (copies, 1)), np.tile(sim.state.nu, (copies, 1))
    nu[:, :2] += push * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return q, nu


class Ours:
    def __init__(self, scene, copies, threads, push):
        self.batch = ff.BatchSimulation(scene, copies=copies, threads=threads)
        q, nu = settled(scene, copies, push)
        self.batch.start_q[:], self.batch.start_nu[:] = q, nu

    def turn(self, steps):
        self.batch.reset()
        result = timed(lambda: self.batch.step(steps))
        assert not self.batch.failed.any()
        return result


class Mujoco:
    def __init__(self, path, copies, threads, push):
        self.model = mujoco.MjModel.from_xml_path(path)
        self.data = [mujoco.MjData(self.model) for _ in range(threads)]
        mujoco.mj_resetDataKeyframe(self.model, self.data[0], 0)
        start = np.zeros(mujoco.mj_stateSize(self.model, mujoco.mjtState.mjSTATE_FULLPHYSICS))
        mujoco.mj_getState(self.model, self.data[0], start, mujoco.mjtState.mjSTATE_FULLPHYSICS)
        self.states = np.tile(start, (copies, 1))
        angle = np.random.default_rng(1).uniform(0, 2 * np.pi, copies)
        velocity = 1 + self.model.nq
        self.states[:, velocity] += push * np.cos(angle)
        self.states[:, velocity + 1] += push * np.sin(angle)
        self.control = self.data[0].ctrl.copy()
        self.rollout = rollout.Rollout(nthread=threads if threads > 1 else 0)

    def turn(self, steps):
        control = np.tile(self.control, (len(self.states), steps, 1))
        result = timed(lambda: self.rollout.rollout(self.model, self.data, self.states, control))
        return result

    def height(self, steps):
        states, _ = self.rollout.rollout(self.model, self.data, self.states[:1], np.tile(self.control, (1, steps, 1)))
        return states[0, -1, 3]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scene")
    parser.add_argument("--copies", type=int, default=512)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--push", type=float, default=0.0, help="speed of the base at the start, in any direction [m/s]")
    parser.add_argument("--writer", default="build/release/bin/bench_batch_mjcf")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "robot.xml")
        subprocess.run([options.writer, options.scene, path], check=True)
        for threads in (1, 2):
            ours = Ours(options.scene, options.copies, threads, options.push)
            theirs = Mujoco(path, options.copies, threads, options.push)
            turns = [(ours.turn(options.steps), theirs.turn(options.steps)) for _ in range(options.turns)]
            steps = options.copies * options.steps
            us = [1e6 * statistics.median(t[who][1] for t in turns) / steps for who in (0, 1)]
            clock = [1e6 * statistics.median(t[who][0] for t in turns) / steps for who in (0, 1)]
            ratio = statistics.median(t[1][1] / t[0][1] for t in turns)
            print(
                f"{options.scene}, {threads} threads: ours {us[0]:.2f} us of processor a step, MuJoCo {us[1]:.2f}, "
                f"ratio {ratio:.2f}; by the clock {clock[0]:.2f} and {clock[1]:.2f} us"
            )
        print(f"MuJoCo's robot after a second: height of the base {theirs.height(1000):.3f} m, before {theirs.states[0][3]:.3f}")


if __name__ == "__main__":
    main()

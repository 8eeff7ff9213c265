"""Seconds of processor for G1 robots whose links touch each other, beside MuJoCo with the same file, in turns within one run.

    cmake --build build/release --target footfall_python
    pip install --target /tmp/mujoco mujoco==4.0.0
    PYTHONPATH=build/release/python:/tmp/mujoco .venv/bin/python benchmarks/bodies/mujoco_robots.py

One G1 that stands, one that falls limp, and twenty that stand in one world. Both sides read all collision shapes of the same URDF file, meshes as convex hulls,
and leave out pairs of neighbours; joints are held by the same springs. MuJoCo keeps its own defaults (soft contacts, Newton's solver) but for the elliptic
cone, which is Coulomb's, and `implicitfast`, which its authors recommend for damped joints. How deep links sink in is printed beside the times.
"""

import argparse
import os
import re
import statistics
import sys
import time

import footfall as ff
import mujoco
import numpy as np

MODEL = "package://example-robot-data/robots/g1_description/urdf/g1_29dof_rev_1_0.urdf"
POSTURE = {
    **{f"{side}_{joint}": angle for side in ("left", "right") for joint, angle in {"hip_pitch_joint": -0.2, "knee_joint": 0.42, "ankle_pitch_joint": -0.22, "elbow_joint": 0.6}.items()},
    "left_shoulder_roll_joint": 0.2,
    "right_shoulder_roll_joint": -0.2,
}
SETTLE = 500
DISTANCE = 2.0  # of robots in one world [m]


def scene_of(robots, limp, integrator):
    bodies = [{"name": f"g1_{k}", "model": MODEL, "initial": POSTURE, "position": [DISTANCE * (k % 5), DISTANCE * (k // 5), 0.8]} for k in range(1, robots)]
    scene = {
        "robot": {"model": MODEL, "initial": POSTURE, "base": {"position": [0, 0, 0.8]}},
        "contacts": [{"frame": "all", "collision": True}],
        "collisions": {"self": True},
        "ground": {"shape": "plane", "friction": 0.6},
        "physics": {"integrator": integrator},
    }
    if bodies:
        scene["bodies"] = bodies
    scene["hold"] = {"gravity_compensation": False} | ({"stiffness": 0, "damping": 0.5} if limp else {})
    return scene


class Ours:
    def __init__(self, robots, limp, integrator):
        self.sim = ff.Simulation(scene_of(robots, limp, integrator))
        self.deepest = 0.0
        self.settle = 0 if limp else SETTLE
        for _ in range(self.settle):
            self.sim.step()
        self.start = self.sim.snapshot()

    def turn(self, steps):
        self.sim.restore(self.start)
        begin = time.process_time()
        self.sim.run(steps * self.sim.dt)
        seconds = time.process_time() - begin
        self.deepest = max([self.deepest] + [-c.gap for c in self.sim.result.contacts])
        self.contacts = len(self.sim.result.contacts)
        return seconds / steps


class Mujoco:
    def __init__(self, robots, limp, springs, urdf):
        spec = mujoco.MjSpec()
        spec.option.timestep = 0.001
        spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1], friction=[0.6, 0, 0])
        with open(urdf) as file:
            text = file.read()
        text = text.replace(MODEL.rsplit("/", 2)[0], os.path.dirname(os.path.dirname(urdf)))
        compiler = '<mujoco><compiler strippath="false" discardvisual="true" balanceinertia="true"/></mujoco>'
        text = re.sub(r"(<robot[^>]*>)", lambda match: match.group(1) + compiler, text, count=1)
        for k in range(robots):
            robot = mujoco.MjSpec.from_string(text)
            base = robot.worldbody.first_body()
            if not base.joints:
                base.add_freejoint()
            place = spec.worldbody.add_frame(pos=[DISTANCE * (k % 5), DISTANCE * (k // 5), 0.8])
            place.attach_body(base, f"g1_{k}/", "")
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        stiffness, damping = springs
        for k in range(self.model.njnt):
            name = self.model.joint(k).name.split("/")[-1]
            if self.model.jnt_type[k] == mujoco.mjtJoint.mjJNT_FREE:
                continue
            at, dof = self.model.jnt_qposadr[k], self.model.jnt_dofadr[k]
            self.data.qpos[at] = POSTURE.get(name, 0.0)
            self.model.jnt_stiffness[k] = stiffness[name]
            self.model.qpos_spring[at] = POSTURE.get(name, 0.0)
            self.model.dof_damping[dof] = damping[name]
        self.deepest = 0.0
        for _ in range(0 if limp else SETTLE):
            mujoco.mj_step(self.model, self.data)
        kind = mujoco.mjtState.mjSTATE_INTEGRATION
        self.start = np.zeros(mujoco.mj_stateSize(self.model, kind))
        mujoco.mj_getState(self.model, self.data, self.start, kind)

    def turn(self, steps):
        mujoco.mj_setState(self.model, self.data, self.start, mujoco.mjtState.mjSTATE_INTEGRATION)
        begin = time.process_time()
        mujoco.mj_step(self.model, self.data, steps)
        seconds = time.process_time() - begin
        self.contacts = self.data.ncon
        self.deepest = max([self.deepest] + [-c.dist for c in self.data.contact])
        return seconds / steps


def springs_of(sim):
    """Stiffness and damping by the names of the joints; those of further robots have the same."""
    return [dict(zip(sim.model.joint_names, values)) for values in (sim.springs.stiffness, sim.springs.damping)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--urdf", help="the file that MODEL names; found beside this Python")
    parser.add_argument("--integrator", default="second_order", help="ours; MuJoCo's is of first order, as semi_implicit_euler is")
    options = parser.parse_args()
    urdf = options.urdf or os.path.join(sys.prefix, f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages/cmeel.prefix/share", MODEL.removeprefix("package://"))
    print("case         Footfall   MuJoCo  [ms a step]  MuJoCo / ours (least, most)  contacts ours, MuJoCo's  deepest ours, MuJoCo's [mm]")
    for name, robots, limp, steps in (("standing", 1, False, 500), ("falling", 1, True, 1000), ("twenty", 20, False, 50)):
        ours = Ours(robots, limp, options.integrator)
        theirs = Mujoco(robots, limp, springs_of(ours.sim), urdf)
        turns = [(ours.turn(steps), theirs.turn(steps)) for _ in range(options.turns)]
        ratios = sorted(theirs_ / ours_ for ours_, theirs_ in turns)
        us = [1e3 * statistics.median(turn[who] for turn in turns) for who in (0, 1)]
        print(
            f"{name:10} {us[0]:10.4f} {us[1]:8.4f} {statistics.median(ratios):20.2f} ({ratios[0]:.2f}, {ratios[-1]:.2f}) {ours.contacts:14d}, {theirs.contacts}"
            f" {1e3 * ours.deepest:16.4f}, {1e3 * theirs.deepest:.4f}",
            flush=True,
        )


if __name__ == "__main__":
    main()

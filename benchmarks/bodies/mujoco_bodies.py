"""Seconds of processor for scenes of bodies, beside MuJoCo with the same bodies, in turns within one run.

    cmake --build build/release --target footfall_python
    pip install --target /tmp/mujoco mujoco==4.0.0
    PYTHONPATH=build/release/python:/tmp/mujoco .venv/bin/python benchmarks/bodies/mujoco_bodies.py SCENE.yaml … stack:10 wall:100 pile:50

`stack:N`, `wall:N` and `pile:N` are scenes of N bodies that are made here: what stands, and mixed bodies that fall 0.6 s into a heap.

MuJoCo gets its own defaults (Newton's solver, soft contacts with a time constant of 20 ms), with the elliptic cone, which is Coulomb's, and once more with its
pyramid; the step is the scene's. What the two do is not the same: ours are rigid. How far bodies sink into each other is printed beside the times. Ours runs
twice: with its own default, which is of second order, and with `semi_implicit_euler`, which is of first order as MuJoCo's `Euler` is.
"""

import argparse
import os
import random
import statistics
import tempfile
import time

import footfall as ff
import mujoco
import numpy as np
import yaml


def stack(count):
    return {"name": "box", "shape": "box", "size": [0.2, 0.2, 0.1], "mass": 1.0, "position": [0, 0, 0.05], "copies": [[0, 0, 0.1 * k] for k in range(count)]}


def wall(count):
    width = round(count**0.5)
    copies = [[0, 0.2 * k + 0.1 * (row % 2), 0.06 * row] for row in range(-(-count // width)) for k in range(width)][:count]
    return {"name": "brick", "shape": "box", "size": [0.1, 0.2, 0.06], "mass": 2.0, "position": [0, 0, 0.03], "copies": copies}


def pile(count):
    """Boxes, balls and capsules in layers of sixteen."""
    numbers = random.Random(1)
    bodies = []
    for k in range(count):
        place = [0.22 * (k % 4 - 1.5), 0.22 * (k // 4 % 4 - 1.5), 0.15 + 0.22 * (k // 16)]
        body = {"name": f"body{k}", "mass": 0.5, "position": [x + numbers.uniform(-0.02, 0.02) for x in place], "rpy": [numbers.uniform(-1.5, 1.5) for _ in range(3)]}
        body["shape"] = ["box", "sphere", "capsule"][k % 3]
        if body["shape"] == "box":
            body["size"] = [numbers.uniform(0.06, 0.14) for _ in range(3)]
        else:
            body["radius"] = numbers.uniform(0.03, 0.05)
        if body["shape"] == "capsule":
            body["length"] = 0.08
        bodies.append(body)
    return bodies


def scene_of(name, folder):
    """The path of a scene, which is made if the name says how."""
    kind, _, count = name.partition(":")
    makers = {"stack": (stack, "0.5 s"), "wall": (wall, "0.1 s"), "pile": (pile, "0.6 s")}
    if kind not in makers or not count:
        return name
    maker, duration = makers[kind]
    bodies = maker(int(count))
    scene = {"bodies": bodies if isinstance(bodies, list) else [bodies], "ground": {"shape": "plane", "friction": 0.6}, "run": {"duration": duration}}
    path = os.path.join(folder, f"{kind}{count}.yaml")
    with open(path, "w") as file:
        yaml.safe_dump(scene, file)
    return path


def geometry(body):
    shape = body["shape"]
    if shape == "box":
        return "box", [x / 2 for x in body["size"]]
    if shape == "sphere":
        return "sphere", [body["radius"]]
    return shape, [body["radius"], body["length"] / 2]


def mjcf(scene, cone):
    friction = scene.get("ground", {}).get("friction", 0.6)
    step = scene.get("physics", {}).get("step", 0.001)
    lines = [
        f'<mujoco><compiler angle="radian" eulerseq="XYZ"/><option timestep="{step}" cone="{cone}"/><size memory="1G"/><worldbody>',
        f'<geom type="plane" size="0 0 1" friction="{friction} 0 0"/>',
    ]
    for body in scene["bodies"]:
        kind, size = geometry(body)
        weight = f'mass="{body["mass"]}"' if "mass" in body else f'density="{body.get("density", 1000)}"'
        for offset in body.get("copies", [[0, 0, 0]]):
            at = np.array(body["position"]) + offset
            lines.append(
                f'<body pos="{at[0]} {at[1]} {at[2]}" euler="{" ".join(map(str, body.get("rpy", [0, 0, 0])))}">{"" if body.get("fixed") else "<freejoint/>"}<geom type="{kind}" size="{" ".join(map(str, size))}" {weight} '
                f'condim="3" friction="{body.get("friction", 0.6)} 0 0"/></body>'
            )
    return "\n".join(lines) + "</worldbody></mujoco>"


def mujoco_run(scene, cone, steps):
    model = mujoco.MjModel.from_xml_string(mjcf(scene, cone))
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data)
    seconds, contacts, deepest = 0.0, 0, 0.0
    for _ in range(steps - 1):
        start = time.process_time()
        mujoco.mj_step(model, data)
        seconds += time.process_time() - start
        contacts = max(contacts, data.ncon)
        deepest = max(deepest, -np.min(data.contact.dist, initial=0.0))
    return seconds / (steps - 1), contacts, deepest


def footfall_run(path, integrator, steps):
    sim = ff.Simulation(path, set={"physics.integrator": integrator})
    sim.step()
    seconds, deepest = 0.0, 0.0
    for _ in range(steps - 1):
        start = time.process_time()
        result = sim.step()
        seconds += time.process_time() - start
        deepest = max(deepest, -min((c.gap for c in result.contacts), default=0.0))
    return seconds / (steps - 1), deepest


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenes", nargs="+")
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    print("ms a step, MuJoCo's time over it, deepest [mm]")
    print(f"{'scene':16} {'elliptic':>19} {'pyramid':>10} {'second order':>26} {'first order':>26}  contacts of MuJoCo")
    folder = tempfile.mkdtemp()
    for path in [scene_of(name, folder) for name in options.scenes]:
        with open(path) as file:
            scene = yaml.safe_load(file)
        steps = round(float(str(scene["run"]["duration"]).split()[0]) / scene.get("physics", {}).get("step", 0.001))
        turns = [
            (mujoco_run(scene, "elliptic", steps), mujoco_run(scene, "pyramidal", steps), footfall_run(path, "second_order", steps), footfall_run(path, "semi_implicit_euler", steps))
            for _ in range(options.turns)
        ]
        elliptic, pyramid, second, first = [statistics.median(turn[who][0] for turn in turns) for who in range(4)]
        deepest = [max(turn[who][-1] for turn in turns) for who in range(4)]
        print(
            f"{os.path.basename(path):16} {1e3 * elliptic:9.3f} {1e3 * deepest[0]:9.3f} {1e3 * pyramid:10.3f} {1e3 * second:10.3f} {elliptic / second:6.2f} {1e3 * deepest[2]:8.4f}"
            f" {1e3 * first:10.3f} {elliptic / first:6.2f} {1e3 * deepest[3]:8.4f}  {turns[0][0][1]}",
            flush=True,
        )


if __name__ == "__main__":
    main()

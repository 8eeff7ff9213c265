"""What MuJoCo answers to the cases of docs/judges.md that it can state, with each of its integrators.

    pip install --target /tmp/mujoco mujoco==4.0.0
    PYTHONPATH=/tmp/mujoco .venv/bin/python benchmarks/peers/mujoco_judges.py

Steps of 1 ms and MuJoCo's own defaults (soft contacts with a time constant of 20 ms, Newton's solver), with the elliptic cone, which is Coulomb's, and friction
in the tangent plane only (condim 3): what the cases ask for. A wheel is MuJoCo's cylinder, a point a ball of 1 mm.
"""

import math

import mujoco
import numpy as np

GRAVITY = 9.81
INTEGRATORS = ("Euler", "implicitfast", "implicit", "RK4")


def world(bodies, integrator, *, friction=0.6, ground=True, gravity=GRAVITY, extra=""):
    plane = f'<geom type="plane" size="0 0 1" condim="3" friction="{friction} 0 0"/>' if ground else ""
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="0.001" integrator="{integrator}" cone="elliptic" gravity="0 0 {-gravity}"/>'
        f"<worldbody>{plane}{bodies}</worldbody>{extra}</mujoco>"
    )
    return model, mujoco.MjData(model)


def run(model, data, seconds, each=None):
    mujoco.mj_forward(model, data)
    for _ in range(round(seconds / model.opt.timestep)):
        mujoco.mj_step(model, data)
        if not np.all(np.isfinite(data.qvel)) or data.warning[mujoco.mjtWarning.mjWARN_BADQACC].number:
            return False
        if each:
            each()
    return True


def energy(model, data):
    model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    mujoco.mj_forward(model, data)
    return data.energy[0] + data.energy[1]


def turned(axis, angle):
    half = 0.5 * angle
    return " ".join(f"{x:.17g}" for x in (math.cos(half), *(math.sin(half) * np.array(axis, float))))


def wheel(integrator):
    """Speed after 10 s [m/s], started at 5 m/s."""
    body = f'<body pos="0 0 0.1" quat="{turned([1, 0, 0], math.pi / 2)}"><freejoint/><geom type="cylinder" size="0.1 0.02" mass="1" condim="3" friction="0.6 0 0"/></body>'
    model, data = world(body, integrator)
    data.qvel[0] = 5.0
    spin = np.array([0.0, 50.0, 0.0])  # in the world; MuJoCo takes it in the body
    rotation = np.zeros(9)
    mujoco.mju_quat2Mat(rotation, data.qpos[3:7])
    data.qvel[3:6] = rotation.reshape(3, 3).T @ spin
    return data.qvel[0] if run(model, data, 10.0) else math.nan


def ball(integrator):
    """Speed of a ball that slid at 3.5 m/s [m/s]."""
    body = '<body pos="0 0 0.1"><freejoint/><geom type="sphere" size="0.1" mass="1" condim="3" friction="0.3 0 0"/></body>'
    model, data = world(body, integrator, friction=0.3)
    data.qvel[0] = 3.5
    return data.qvel[0] if run(model, data, 3.0) else math.nan


def eulers_disc(integrator):
    """Share of the energy of Euler's disc that is lost in 2 s [-]."""
    a, tilt = 0.1, math.radians(20.0)
    rate = math.sqrt(4.0 * GRAVITY / (a * math.sin(tilt)))
    thin = 1e-4
    inertia = f'<inertial pos="0 0 0" mass="1" diaginertia="{0.25 * a * a} {0.25 * a * a} {0.5 * a * a}"/>'
    body = (
        f'<body pos="0 0 {a * math.sin(tilt) + thin * math.cos(tilt)}" quat="{turned([0, 1, 0], tilt)}"><freejoint/>{inertia}'
        f'<geom type="cylinder" size="{a} {thin}" condim="3" friction="0.6 0 0"/></body>'
    )
    model, data = world(body, integrator)
    axis = np.array([math.sin(tilt), 0.0, math.cos(tilt)])
    # The centre rests, and so does the point that touches: the disc turns about the line between them.
    omega = rate * (np.array([0.0, 0.0, 1.0]) - math.cos(tilt) * axis)
    rotation = np.zeros(9)
    mujoco.mju_quat2Mat(rotation, data.qpos[3:7])
    data.qvel[3:6] = rotation.reshape(3, 3).T @ omega
    whole = 1.5 * GRAVITY * a * math.sin(tilt)
    start = energy(model, data)
    return (start - energy(model, data)) / whole if run(model, data, 2.0) else math.nan


def top(integrator, spin):
    """Precession of the heavy top on a ball joint [rad/s], and drift of its energy in 10 s [-]."""
    mass, length, i1, i3, tilt = 0.5, 0.05, 2e-3, 8e-4, 0.3
    about_tip = (i1 + mass * length**2) * math.cos(tilt)
    precession = (i3 * spin - math.sqrt((i3 * spin) ** 2 - 4 * about_tip * mass * GRAVITY * length)) / (2 * about_tip)
    body = f'<body pos="0 0 1"><joint type="ball"/><inertial pos="0 0 {length}" mass="{mass}" diaginertia="{i1} {i1} {i3}"/></body>'
    model, data = world(body, integrator, ground=False)
    data.qpos[:4] = [math.cos(0.5 * tilt), 0.0, math.sin(0.5 * tilt), 0.0]
    axis = np.array([math.sin(tilt), 0.0, math.cos(tilt)])
    rotation = np.zeros(9)
    mujoco.mju_quat2Mat(rotation, data.qpos[:4])
    data.qvel[:] = rotation.reshape(3, 3).T @ (spin * axis + precession * (np.array([0.0, 0.0, 1.0]) - math.cos(tilt) * axis))
    start, angles = energy(model, data), []

    def look():
        x = data.xmat[1].reshape(3, 3)[:, 2]
        angles.append(math.atan2(x[1], x[0]))

    if not run(model, data, 10.0, look):
        return precession, math.nan, math.inf
    rate = (np.unwrap(angles)[-1] - angles[0]) / (10.0 - 0.001)
    return precession, rate, abs(energy(model, data) / start - 1.0)


def dzhanibekov(integrator):
    """Drift of the energy of a body that turns over, in 600 s [-]."""
    body = '<body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="0.03 0.02 0.01"/></body>'
    model, data = world(body, integrator, ground=False, gravity=0.0)
    data.qvel[3:6] = [0.1, 5.0, 0.1]
    start = energy(model, data)
    return abs(energy(model, data) / start - 1.0) if run(model, data, 600.0) else math.inf


def spinning_disc(integrator, points):
    """Time until a disc on points stops, which spins at 10 rad/s [s]; an equal pressure stops it after 0.191 s."""
    r = 0.1
    places = [(r * math.sqrt((k + 0.5) / points), k * math.pi * (3 - math.sqrt(5))) for k in range(points)]
    geoms = "".join(
        f'<geom type="sphere" size="0.001" pos="{rho * math.cos(phi)} {rho * math.sin(phi)} 0" condim="3" friction="0.4 0 0"/>'
        for rho, phi in places
    )
    body = f'<body pos="0 0 0.001"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="0.0025 0.0025 0.005"/>{geoms}</body>'
    model, data = world(body, integrator, friction=0.4)
    run(model, data, 1.0)  # soft contacts sink in first
    begin, stopped = data.time, []
    data.qvel[5] = 10.0

    def look():
        if abs(data.qvel[5]) < 0.05 and not stopped:
            stopped.append(data.time - begin)

    run(model, data, 1.5, look)
    return stopped[0] if stopped else math.nan


def four_bar(integrator):
    """Distance of the N-four-bar's first corner from where it should be after 10 s [m]."""
    rod = 'mass="1" diaginertia="{} 0.083333333333 {}"'
    upright = rod.format("0.083333333333", "1e-6")
    level = rod.format("1e-6", "0.083333333333")
    bodies = "".join(
        f'<body name="u{k}" pos="{k} 0 0"><joint type="hinge" axis="0 1 0"/><inertial pos="0 0 0.5" {upright}/>'
        + (
            f'<body name="l{k}" pos="0 0 1"><joint type="hinge" axis="0 1 0"/><inertial pos="0.5 0 0" {level}/></body>'
            if k < 2
            else ""
        )
        + "</body>"
        for k in range(3)
    )
    ties = "".join(f'<connect body1="l{k}" body2="u{k + 1}" anchor="1 0 0"/>' for k in range(2))
    model, data = world(bodies, integrator, ground=False, extra=f"<equality>{ties}</equality>")
    data.qvel[:] = [1, -1, 1, -1, 1]
    if not run(model, data, 10.0):
        return math.nan
    corner = data.xpos[mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, "l0")]
    return math.hypot(corner[0] - 0.3284581115, corner[2] - 0.9445185382)


def main():
    print(f"MuJoCo {mujoco.__version__}, steps of 1 ms")
    for integrator in INTEGRATORS:
        print(f"\n{integrator}")
        print(f"  wheel at 5 m/s after 10 s: {wheel(integrator):.4f} m/s")
        print(f"  ball from 3.5 m/s: {ball(integrator):.5f} m/s, expected 2.5")
        print(f"  Euler's disc loses {100 * eulers_disc(integrator):.2f} % in 2 s")
        for spin in (100, 300):
            expected, rate, drift = top(integrator, spin)
            print(f"  top at {spin} rad/s precesses at {rate:.4f} rad/s, expected {expected:.4f}; energy off by {drift:.2g}")
        print(f"  body that turns over: energy off by {dzhanibekov(integrator):.2g} after 600 s")
        print(f"  disc on 17 points stops after {spinning_disc(integrator, 17):.3f} s, on 60 {spinning_disc(integrator, 60):.3f} s, expected 0.191")
        print(f"  N-four-bar: corner off by {four_bar(integrator):.2g} m after 10 s")


if __name__ == "__main__":
    main()

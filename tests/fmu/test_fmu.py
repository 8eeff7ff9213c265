"""What an FMU of a scene promises, checked by FMPy and by libcosim."""

import csv
import math
import os
import shutil
import subprocess
import sys

import pytest
from fmpy.validation import validate_fmu

from conftest import ROOT, SCENE, export, footfall
from host import Robot

STATE = ["base.position.x", "base.position.z", "base.quaternion.w", "base.velocity.z", "l_knee.position",
         "r_ankle_pitch.velocity"]
FORCES = ["l_sole.force.z", "r_sole.moment.y"]


def test_fmpy_finds_nothing_wrong(fmu):
    assert validate_fmu(str(fmu)) == []


def test_another_checker_finds_nothing_wrong(fmu):
    """FMU Manipulation Toolbox: the schema, and what the standard says beyond it."""
    tool = "from fmu_manipulation_toolbox.cli.fmutool import fmutool; fmutool()"
    output = subprocess.run([sys.executable, "-c", tool, "-input", str(fmu), "-check"], capture_output=True, text=True)
    text = output.stdout + output.stderr
    assert "seems to be compliant" in text and "No semantic error" in text, text


def test_same_bits_as_the_command(fmu, log):
    robot = Robot(fmu)
    for k in range(1200):
        if k % 50 == 0:
            for name in STATE:
                assert robot.get(name) == float(log[k][name]), f"{name} at step {k}"
        robot.step()
        if k % 50 == 0:
            for name in FORCES:  # the mean of the step that has just ended: the row of its start
                assert robot.get(name) == float(log[k][name]), f"{name} of step {k}"
    robot.close()


def test_a_restored_state_goes_on_bit_for_bit(fmu):
    robot = Robot(fmu)
    robot.run(150)
    state = robot.state()
    data = robot.serialize(state)
    before = [robot.get(name) for name in STATE + FORCES]
    robot.run(100)
    after = [robot.get(name) for name in STATE + FORCES]

    robot.restore(state)
    robot.time = 0.15
    assert [robot.get(name) for name in STATE + FORCES] == before
    robot.run(100)
    assert [robot.get(name) for name in STATE + FORCES] == after

    other = Robot(fmu)
    other.restore(other.deserialize(data))
    other.time = 0.15
    other.run(100)
    assert [other.get(name) for name in STATE + FORCES] == after
    robot.close()
    other.close()


def test_two_instances_do_not_disturb_each_other(fmu):
    alone = Robot(fmu)
    alone.run(200)
    pushed, still = Robot(fmu), Robot(fmu)
    pushed.set("torque.l_knee", 20.0)
    for _ in range(200):
        pushed.step()
        still.step()
    assert [still.get(name) for name in STATE] == [alone.get(name) for name in STATE]
    assert pushed.get("l_knee.position") != still.get("l_knee.position")
    for robot in (alone, pushed, still):
        robot.close()


def test_any_communication_step(fmu):
    fine, coarse, odd = Robot(fmu), Robot(fmu), Robot(fmu)
    fine.run(100)
    coarse.run(10, size=1e-2)
    odd.run(40, size=2.5e-3)  # no multiple of the internal step: what is over is carried along
    for name in STATE:
        assert fine.get(name) == coarse.get(name) == odd.get(name)
    for robot in (fine, coarse, odd):
        robot.close()


def test_a_start_time_shifts_the_clock_only(fmu):
    early, late = Robot(fmu), Robot(fmu, start_time=5.0)
    early.run(100)
    late.run(100)
    assert [early.get(name) for name in STATE] == [late.get(name) for name in STATE]
    assert late.get("time") == pytest.approx(5.1)
    early.close()
    late.close()


def test_parameters_change_the_scene_until_the_run_begins(fmu, folder):
    slippery = Robot(fmu, parameters={"ground.friction": 0.05, "physics.step": 5e-4})
    assert slippery.get("ground.friction") == 0.05
    slippery.run(200)
    log = folder / "slippery.csv"
    footfall("run", SCENE, "--set", "ground.friction=0.05", "--set", "physics.step=5e-4", "--duration", "0.2", "--log",
             log, "--quiet")
    last = [line for line in log.read_text().splitlines() if not line.startswith("#")][-1].split(",")
    assert slippery.get("base.position.x") == float(last[1])
    with pytest.raises(Exception):
        slippery.set("ground.friction", 0.6)
    slippery.close()


def test_a_parameter_that_is_refused_is_not_called_an_option(fmu, capfd):
    with pytest.raises(Exception):
        Robot(fmu, parameters={"physics.step": -1.0}).run(1)
    captured = capfd.readouterr()
    assert "--set" not in captured.out + captured.err and "set physics.step=-1: " in captured.out + captured.err


def test_a_reset_starts_again(fmu):
    robot = Robot(fmu)
    robot.run(50)
    first = [robot.get(name) for name in STATE]
    robot.slave.reset()
    robot.initialize()
    robot.time = 0.0
    robot.run(50)
    assert [robot.get(name) for name in STATE] == first
    robot.close()


def test_a_reset_forgets_the_start_time(fmu):
    robot = Robot(fmu, start_time=5.0)
    robot.run(3)
    robot.slave.reset()
    if robot.two:  # a host that says nothing about the experiment begins at 0
        robot.slave.enterInitializationMode()
        robot.slave.exitInitializationMode()
    else:
        robot.initialize()
    assert robot.get("time") == 0.0
    robot.time = 0.0
    robot.run(3)
    assert robot.get("time") == pytest.approx(3e-3)
    robot.close()


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_number_that_is_none_is_refused(fmu, value):
    robot = Robot(fmu)
    with pytest.raises(Exception):
        robot.set("torque.l_knee", value)
    robot.run(3)
    robot.close()


def test_wrong_calls_are_errors_and_no_crash(fmu):
    robot = Robot(fmu)
    set_, get = ((robot.slave.setReal, robot.slave.getReal) if robot.two
                 else (robot.slave.setFloat64, robot.slave.getFloat64))
    with pytest.raises(Exception):
        get([4_000_000])
    with pytest.raises(Exception):
        set_(robot.reference("time"), [1.0])
    with pytest.raises(Exception):
        robot.step(-1.0)
    with pytest.raises(Exception):
        robot.slave.doStep(currentCommunicationPoint=7.0, communicationStepSize=1e-3)
    robot.run(3)
    robot.close()


def remove_scene(resources):
    (resources / "scene.yaml").unlink()


def break_scene(resources):
    (resources / "scene.yaml").write_text("robot: [")


def break_robot(resources):
    (resources / "robot.urdf").write_text("<robot")


def swap_token(resources):
    (resources / "token.txt").write_text("{of another one}\n")


@pytest.mark.parametrize("damage", [remove_scene, break_scene, break_robot, swap_token])
def test_damaged_resources_are_an_error_and_no_crash(fmu, damage):
    with pytest.raises(Exception):
        Robot(fmu, resources_changed=damage)


def test_runs_where_nothing_of_footfall_is(fmu, tmp_path):
    copy = tmp_path / "somewhere else" / fmu.name
    copy.parent.mkdir()
    shutil.copy(fmu, copy)
    host = tmp_path / "host.py"
    shutil.copy(os.path.join(os.path.dirname(__file__), "host.py"), host)
    program = ("from host import Robot\n"
               f"robot = Robot({str(copy)!r}); robot.run(20); print(robot.get('base.position.z')); robot.close()")
    sanitizer = {name: os.environ[name] for name in ("LD_PRELOAD", "ASAN_OPTIONS") if name in os.environ}
    output = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env={"HOME": str(tmp_path)} | sanitizer, check=True,
                            capture_output=True, text=True).stdout
    here = Robot(fmu)
    here.run(20)
    assert float(output) == here.get("base.position.z")
    here.close()


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="a sanitizer is a library of its own")
def test_needs_only_the_c_library(fmu, tmp_path):
    shutil.unpack_archive(fmu, tmp_path, "zip")
    (library,) = tmp_path.glob("binaries/*/footfall.so")
    needed = subprocess.run(["readelf", "-d", library], check=True, capture_output=True, text=True).stdout
    names = [line.split("[")[1].rstrip("]") for line in needed.splitlines() if "NEEDED" in line]
    assert all(name.startswith(("libc.", "libm.", "libdl.", "libpthread.", "ld-linux")) for name in names), names
    shown = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    functions = [line.split()[-1] for line in shown.splitlines()]
    assert functions and all(name.startswith(("fmi2", "fmi3")) for name in functions), functions[:10]


def test_refuses_what_an_fmu_cannot_carry(folder):
    result = subprocess.run([os.environ["FOOTFALL_COMMAND"], "export", "fmu", str(SCENE), "-o", str(folder / "x.fmu"),
                             "--set", "physics.solver=osqp", "--set", "physics.friction_law=pyramid"],
                            capture_output=True, text=True)
    assert result.returncode == 2
    assert "physics.solver" in result.stderr and "--set physics.solver=native" in result.stderr


DOUBLE = """
inputs: {u: {type: scalar}}
outputs: {y: gain.out}
blocks:
  gain: {block: Gain, factor: 2}
connect:
  - u -> gain
"""
TWICE = """
subdiagrams: {Double: parts/double.yaml}
inputs: {u: {type: scalar}}
outputs: {y: d.y}
blocks:
  d: Double
connect:
  - u -> d
"""


def refused(*arguments):
    result = subprocess.run([os.environ["FOOTFALL_COMMAND"], "export", "fmu", *map(str, arguments)], capture_output=True, text=True)
    return result.returncode, result.stderr


def test_files_of_sub_diagrams_travel_along(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "double.yaml").write_text(DOUBLE)
    diagram = tmp_path / "twice.yaml"
    diagram.write_text(TWICE)
    fmu = Robot(export(tmp_path, "3", diagram))
    fmu.set("u", 21.0)
    fmu.run(2)
    assert fmu.get("y") == 42.0
    fmu.close()


def test_a_diagram_without_inputs_and_outputs_shows_what_its_blocks_give(tmp_path):
    diagram = tmp_path / "alone.yaml"
    diagram.write_text("blocks:\n  one: {block: Constant, value: 3}\n")
    fmu = Robot(export(tmp_path, "2", diagram))
    fmu.run(2)
    assert fmu.get("one.out") == 3.0
    fmu.close()


def test_tables_travel_along(tmp_path):
    """Read where the FMU lies, whatever the working directory of its host is."""
    (tmp_path / "signals").mkdir()
    (tmp_path / "signals" / "ramp.csv").write_text("time [s],u [m]\n0,1\n1,3\n")
    diagram = tmp_path / "play.yaml"
    diagram.write_text("blocks:\n  play: {block: FromFile, file: signals/ramp.csv, columns: u}\noutputs: {u: play.out}\n")
    path = export(tmp_path, "3", diagram)
    shutil.rmtree(tmp_path / "signals")
    fmu = Robot(path)
    fmu.run(5, size=0.1)
    assert fmu.get("u") == pytest.approx(2.0)
    fmu.close()


@pytest.mark.parametrize("block, named", [("play: {block: FromFile, file: signal.csv}", ["play", "signal.csv"]),
                                          ("gain: {block: Gane, factor: 2}", ["Gane"])],
                         ids=["what cannot travel along", "what is wrong"])
def test_errors_name_the_users_file_and_line(tmp_path, block, named):
    diagram = tmp_path / "mine.yaml"
    diagram.write_text(f"blocks:\n  {block}\n")
    code, said = refused(diagram, "-o", tmp_path / "x.fmu")
    assert code == 2
    assert "mine.yaml:2" in said and "scene.yaml" not in said
    assert all(name in said for name in named)


def test_a_file_that_cannot_be_written_is_exit_code_3(tmp_path):
    code, said = refused(SCENE, "-o", tmp_path / "no_folder" / "x.fmu")
    assert code == 3 and "cannot be written" in said


def test_scenes_are_found_from_the_folder_where_the_user_is(folder):
    path = folder / "relative.fmu"
    subprocess.run([os.environ["FOOTFALL_COMMAND"], "export", "fmu", f"scenes/{SCENE.name}", "-o", str(path)], cwd=ROOT,
                   check=True, capture_output=True)
    assert validate_fmu(str(path)) == []


def test_meshes_travel_along(folder):
    """G1 lies on the hulls of its meshes: they must be in the FMU."""
    scene = ROOT / "scenes" / "fallen_g1.yaml"
    path = export(folder, "3", scene)
    robot = Robot(path)
    robot.run(20)
    assert math.isfinite(robot.get("base.position.z"))
    robot.close()


def test_bodies_travel_along(tmp_path):
    """A robot, another one, and a ball that meets the first with shapes that it does not touch the ground with."""
    (tmp_path / "pairs.srdf").write_text('<robot name="q"><disable_collisions link1="trunk" link2="lf_shank"/></robot>')
    shutil.copy(ROOT / "models" / "quadruped.urdf", tmp_path / "other.urdf")
    scene = tmp_path / "three.yaml"
    scene.write_text(
        "robot: {model: quadruped, base: {position: [0, 0, 0.5]}}\n"
        "bodies:\n"
        "  - {name: ball, shape: sphere, radius: 0.1, mass: 3, position: [0, 0, 0.8]}\n"
        "  - {name: other, model: other.urdf, position: [0, 2, 0.5]}\n"
        "collisions: {self: true, srdf: pairs.srdf}\n")
    log = tmp_path / "run.csv"
    footfall("run", scene, "--duration", "0.4", "--log", log, "--quiet")
    with open(log) as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    column = [name.split(" [")[0] for name in rows[0]].index("base.position.z")
    path = export(tmp_path, "3", scene)
    for source in [scene, tmp_path / "other.urdf", tmp_path / "pairs.srdf"]:
        source.unlink()
    robot = Robot(path)
    robot.run(300)
    assert robot.get("base.position.z") == float(rows[301][column])
    robot.close()


def test_forces_and_moments_have_units(fmu):
    """Each of the six numbers of a wrench in FMI 2.0; in FMI 3.0 they are one array, which can have one unit only, and the text says them."""
    robot = Robot(fmu, initialize=False)
    if robot.two:
        units = {name: robot.variables[f"wrench.pelvis.{name}"].unit for name in ["fx", "fy", "fz", "mx", "my", "mz"]}
        assert units == {"fx": "N", "fy": "N", "fz": "N", "mx": "N m", "my": "N m", "mz": "N m"}
    else:
        assert "[N]" in robot.variables["wrench.pelvis"].description and "[N m]" in robot.variables["wrench.pelvis"].description
    assert robot.variables["torque.l_knee"].unit == "N m"
    assert {unit.name for unit in robot.description.unitDefinitions} >= {"N", "N m"}
    robot.slave.freeInstance()


def test_libcosim_runs_it(folder):
    """Another implementation of a co-simulation host (Open Simulation Platform), FMI 2.0."""
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimObserver import CosimObserver
    from libcosimpy.CosimSlave import CosimLocalSlave

    path = export(folder, "2")
    execution = CosimExecution.from_step_size(step_size=1_000_000)  # [ns]
    slave = execution.add_local_slave(local_slave=CosimLocalSlave(fmu_path=str(path), instance_name="robot"))
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer=observer)
    execution.simulate_until(target_time=100_000_000)
    ours = Robot(path)
    ours.run(100)
    reference = ours.variables["base.position.z"].valueReference
    assert observer.last_real_values(slave_index=slave, variable_references=[reference]) == [ours.get("base.position.z")]
    ours.close()


ARM = """
robot: {{model: {root}/models/rr_arm.urdf, base: {{fixed: true}}, initial: {{shoulder: 0.5, elbow: -0.3}}}}
hold: {{enabled: false}}
run: {{duration: 1 s}}
"""

CONTROLLER = """
step: 1 ms
inputs:
  position: {type: vector, size: 2, unit: rad}
  velocity: {type: vector, size: 2, unit: rad/s}
outputs: {torque: sum}
blocks:
  stiffness: {block: Gain, factor: -40, unit: N m}
  damping: {block: Gain, factor: -4, unit: N m}
  sum: {block: Sum, signs: "++"}
connect:
  - position -> stiffness -> sum.in1
  - velocity -> damping -> sum.in2
run: {duration: 1 s}
"""

BOTH = ARM + """
diagram:
  blocks:
    robot: Robot
    stiffness: {{block: Gain, factor: -40, unit: N m}}
    damping: {{block: Gain, factor: -4, unit: N m}}
    sum: {{block: Sum, signs: "++"}}
  connect:
    - robot.state.joints_position -> stiffness -> sum.in1
    - robot.state.joints_velocity -> damping -> sum.in2
    - sum -> robot.torque
  outputs: {{position: robot.state.joints_position}}
"""


@pytest.mark.parametrize("version", ["2", "3"])
def test_robot_and_controller_as_two_fmus_equal_one_process(folder, version):
    for name, text in (("arm", ARM), ("controller", CONTROLLER), ("both", BOTH)):
        (folder / f"{name}.yaml").write_text(text if name == "controller" else text.format(root=ROOT))
    arm, controller, both = (Robot(export(folder, version, folder / f"{name}.yaml"))
                             for name in ("arm", "controller", "both"))
    joints = ["shoulder", "elbow"]

    def numbers(fmu, name):
        if fmu.two:
            return [fmu.get(f"{name}[{i}]") for i in (1, 2)]
        return fmu.slave.getFloat64(fmu.reference(name), 2)

    for _ in range(500):
        for name in ("position", "velocity"):
            values = [arm.get(f"{joint}.{name}") for joint in joints]
            if controller.two:
                for i, value in enumerate(values):
                    controller.set(f"{name}[{i + 1}]", value)
            else:
                controller.set(name, *values)
        for joint, torque in zip(joints, numbers(controller, "torque")):
            arm.set(f"torque.{joint}", torque)
        for fmu in (arm, controller, both):
            fmu.step()
    assert [arm.get(f"{joint}.position") for joint in joints] == list(numbers(both, "position"))
    assert abs(arm.get("shoulder.position")) < 0.5, "the controller moves it"
    for fmu in (arm, controller, both):
        fmu.close()


@pytest.mark.parametrize("version", ["2", "3"])
def test_an_fmu_is_a_block_of_a_diagram(folder, version):
    """An FMU that doubles its input, fed with the time: its output is that of the last communication point."""
    doubler = folder / "doubler.yaml"
    doubler.write_text("step: 1 ms\ninputs: {u: {type: scalar}}\noutputs: {y: twice}\n"
                       "blocks: {twice: {block: Gain, factor: 2}, last: {block: Delay}}\n"
                       "connect: [u -> last, last -> twice]\n")
    fmu = export(folder, version, doubler)
    diagram = folder / f"diagram_{version}.yaml"
    diagram.write_text("step: 1 ms\nblocks:\n  clock: Clock\n"
                       f"  controller: {{block: Fmu, file: {fmu}, step: 2 ms}}\n"
                       "connect: [clock -> controller]\nlog: [controller.y, clock.out]\n")
    log = folder / f"diagram_{version}.csv"
    footfall("run", diagram, "--duration", "0.05", "--log", log, "--quiet")
    lines = [line for line in log.read_text().splitlines() if not line.startswith("#")]
    names = [name.split(" [")[0] for name in lines[0].split(",")]
    rows = [dict(zip(names, line.split(","))) for line in lines[1:]]
    for k in range(4, 40):
        # Inputs are held during a communication step of two steps; the delay inside is one of them.
        expected = 2 * float(rows[(k // 2 - 1) * 2]["time"])
        assert float(rows[k]["controller.y"]) == pytest.approx(expected, abs=1e-15), f"row {k}"


@pytest.mark.parametrize("block", ["{block: Fmu, file: nowhere.x, step: 1 ms}", "{block: FromFile, file: nowhere.csv, columns: [x]}"])
def test_a_missing_file_is_named_with_block_and_line(tmp_path, block):
    diagram = tmp_path / "missing.yaml"
    diagram.write_text(f"blocks:\n  reader: {block}\n")
    result = subprocess.run([os.environ["FOOTFALL_COMMAND"], "run", str(diagram)], capture_output=True, text=True)
    assert result.returncode == 2
    assert "missing.yaml:2: block reader" in result.stderr and "nowhere" in result.stderr


def test_a_damaged_fmu_is_named(folder):
    broken = folder / "broken.fmu"
    broken.write_bytes(b"PK no archive")
    diagram = folder / "broken.yaml"
    diagram.write_text(f"blocks: {{c: {{block: Fmu, file: {broken}, step: 1 ms}}}}\n")
    result = subprocess.run([os.environ["FOOTFALL_COMMAND"], "run", str(diagram)], capture_output=True, text=True)
    assert result.returncode == 2 and "broken.fmu" in result.stderr, result.stderr


def test_fmpy_simulates_it_as_a_user_would(fmu):
    from fmpy import simulate_fmu

    result = simulate_fmu(str(fmu), stop_time=0.1, output_interval=1e-2, output=["l_knee.position"])
    robot = Robot(fmu)
    robot.run(10, size=1e-2)
    assert result["l_knee.position"][-1] == robot.get("l_knee.position")
    robot.close()


def test_every_function_of_the_interface_is_there(fmu, tmp_path):
    import pathlib
    import re

    import fmpy

    two = "_2" in fmu.name
    headers = pathlib.Path(fmpy.__file__).parent / "c-code"
    text = (headers / ("fmi2FunctionTypes.h" if two else "fmi3FunctionTypes.h")).read_text()
    if two:  # FMI 2 lets an FMU leave out what is for model exchange
        text = text[: text.index("FMI2 for Model Exchange")] + text[text.index("FMI2 for Co-Simulation") :]
    wanted = set(re.findall(r"\b(fmi[23]\w+)TYPE\b", text))
    shutil.unpack_archive(fmu, tmp_path, "zip")
    (library,) = tmp_path.glob("binaries/*/footfall.so")
    shown = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    assert wanted and wanted <= {line.split()[-1] for line in shown.splitlines()}


def test_what_it_cannot_do_is_an_error_and_no_crash(fmu):
    robot = Robot(fmu)
    slave, reference = robot.slave, robot.reference("l_knee.position")
    refused = (["getInteger", "getBoolean", "getString"] if robot.two
               else ["getFloat32", "getInt8", "getUInt8", "getInt16", "getUInt16", "getInt32", "getUInt32", "getInt64",
                     "getUInt64", "getBoolean", "getString"])
    for name in refused:
        with pytest.raises(Exception):
            getattr(slave, name)(reference)
    with pytest.raises(Exception):
        slave.getDirectionalDerivative(reference, robot.reference("torque.l_knee"), [1.0])
    if robot.two:
        with pytest.raises(Exception):
            slave.cancelStep()
        assert slave.getRealStatus(2) == 0.0  # the last successful time
    else:
        with pytest.raises(Exception):
            slave.enterEventMode()
    robot.run(3)
    robot.close()


POLICY = "footfall_policy 1\ninputs 1\nmean 0\nscale 1\ninput_limit 9\nlayer 1 tanh\nbias 0.5\nweights 2\noutput_limit 1\n"


@pytest.mark.parametrize("version", ["2", "3"])
def test_a_learned_policy_travels_along(tmp_path, version, monkeypatch):
    home = tmp_path / "home"
    (home / "policies").mkdir(parents=True)
    (home / "policies" / "small.policy").write_text(POLICY)
    (home / "walk.yaml").write_text("inputs: {u: {type: scalar}}\noutputs: {y: p.out}\n"
                                    "blocks:\n  p: {block: Policy, file: policies/small.policy}\n  m: {block: Mux, inputs: 1}\n"
                                    "connect: [u -> m.in1, m -> p]\n")
    path = export(tmp_path, version, home / "walk.yaml")
    shutil.rmtree(home)
    monkeypatch.chdir(tmp_path)
    fmu = Robot(path)
    fmu.set("u", 0.1)
    fmu.run(2)
    assert fmu.get("y") == pytest.approx(math.tanh(0.7), abs=1e-15)
    fmu.close()


def test_a_policy_from_elsewhere_is_refused_by_name(tmp_path):
    (tmp_path / "far.policy").write_text(POLICY)
    (tmp_path / "home").mkdir()
    diagram = tmp_path / "home" / "walk.yaml"
    for file in ("../far.policy", tmp_path / "far.policy", "nowhere.policy"):
        diagram.write_text(f"blocks:\n  c: {{block: Constant, value: [1]}}\n  p: {{block: Policy, file: {file}}}\nconnect: [c -> p]\n")
        code, said = refused(diagram, "-o", tmp_path / "x.fmu")
        assert code == 2 and "walk.yaml:3" in said and str(file) in said and "'p' (Policy)" in said


GIVEN_SHOULDER = "robot: {model: rr_arm, base: {fixed: true}, initial: {shoulder: 0.5}}\nprescribed: [{joint: shoulder}]\n"


@pytest.mark.parametrize("version", ["2", "3"])
def test_inputs_move_prescribed_joints(tmp_path, version):
    scene = tmp_path / "arm.yaml"
    scene.write_text(GIVEN_SHOULDER)
    path = export(tmp_path, version, scene)
    arm = Robot(path)
    assert arm.get("position.shoulder") == 0.5, "where it starts"
    arm.run(3)
    assert arm.get("shoulder.position") == 0.5, "nobody moves it"
    assert "position.elbow" not in arm.variables
    for size in 1e-3, 10e-3, 2.5e-3, 0.7e-3, 0.7e-3, 0.1e-3:
        arm.set("position.shoulder", 0.5 + arm.time)
        arm.set("velocity.shoulder", 1.0)
        arm.step(size)
    # All communication steps together are whole internal ones: it is where the last one wanted it.
    assert arm.get("shoulder.position") == pytest.approx(0.5 + arm.time - 0.1e-3, abs=1e-15)
    assert arm.get("shoulder.velocity") == pytest.approx(1.0, abs=1e-12)
    arm.close()


def test_prescribed_joints_move_smoothly_through_a_communication_step(tmp_path):
    """A cubic between its ends: of a motion that is one itself, nothing is lost."""
    scene = tmp_path / "arm.yaml"
    scene.write_text(GIVEN_SHOULDER)
    path = export(tmp_path, "2", scene)
    fine, coarse = Robot(path), Robot(path)
    position = lambda t: 0.5 + 3 * t**2 - 20 * t**3
    velocity = lambda t: 6 * t - 60 * t**2
    for robot, steps in (fine, 100), (coarse, 10):
        for k in range(1, steps + 1):
            robot.set("position.shoulder", position(0.1 * k / steps))
            robot.set("velocity.shoulder", velocity(0.1 * k / steps))
            robot.step(0.1 / steps)
    for name in "shoulder.position", "shoulder.velocity", "elbow.position", "elbow.velocity":
        assert fine.get(name) == pytest.approx(coarse.get(name), abs=1e-12)
    assert fine.get("shoulder.position") == pytest.approx(position(0.1), abs=1e-15)
    fine.close()
    coarse.close()


def test_a_restored_state_goes_on_with_prescribed_joints_bit_for_bit(tmp_path):
    scene = tmp_path / "arm.yaml"
    scene.write_text(GIVEN_SHOULDER)
    arm = Robot(export(tmp_path, "2", scene))
    arm.set("position.shoulder", 0.6)
    arm.set("velocity.shoulder", 2.0)
    arm.step(5e-3)
    state, time = arm.state(), arm.time
    names = ["shoulder.position", "shoulder.velocity", "elbow.position", "elbow.velocity"]

    def go_on():
        arm.time = time
        arm.set("position.shoulder", 0.61)
        arm.run(5)
        return [arm.get(name) for name in names]

    first = go_on()
    arm.restore(state)
    assert arm.get("position.shoulder") == 0.6
    assert go_on() == first
    arm.slave.reset()
    arm.initialize()
    assert arm.get("position.shoulder") == arm.get("shoulder.position") == 0.5
    arm.close()


@pytest.mark.parametrize("version", ["2", "3"])
def test_a_file_that_a_block_cannot_complete_is_an_error_of_the_end(tmp_path, version):
    (tmp_path / "full.mat").symlink_to("/dev/full")  # it is written when it is closed
    diagram = tmp_path / "logged.yaml"
    diagram.write_text(f"blocks:\n  one: {{block: Constant, value: 3}}\n  log: {{block: Log, file: {tmp_path / 'full.mat'}}}\nconnect: [one -> log]\n")
    fmu = Robot(export(tmp_path, version, diagram))
    fmu.run(3)
    with pytest.raises(Exception, match="[Tt]erminate"):
        fmu.slave.terminate()
    fmu.slave.freeInstance()


CRANE = """
bodies:
  - {name: ball, shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 5]}
  - {name: far, shape: sphere, radius: 0.1, mass: 1, position: [3, 0, 5]}
loops:
  - {name: magnet, between: [world, ball], joint: weld, commanded: true}
  - {name: too_far, between: [ball, far], joint: weld, commanded: true}
"""


@pytest.mark.parametrize("version", ["2", "3"])
def test_inputs_make_and_release_ties(tmp_path, version):
    scene = tmp_path / "crane.yaml"
    scene.write_text(CRANE)
    fmu = Robot(export(tmp_path, version, scene))
    fmu.run(100)
    assert fmu.get("ball.velocity.z") == pytest.approx(-0.981) and fmu.get("ties.count") == 0
    fmu.set("tie.magnet", 1.0)
    fmu.run(100)
    held = fmu.get("ball.position.z")
    assert fmu.get("ball.velocity.z") == pytest.approx(0, abs=1e-12) and fmu.get("ties.count") == 1
    state, time = fmu.state(), fmu.time
    # One that cannot be made is an error, and leaves everything as it was: also the one that was to be released with it.
    fmu.set("tie.magnet", 0.0)
    fmu.set("tie.too_far", 1.0)
    with pytest.raises(Exception, match="[Dd]oStep"):
        fmu.slave.doStep(currentCommunicationPoint=fmu.time, communicationStepSize=1e-3)
    assert fmu.get("ties.count") == 1 and fmu.get("ball.position.z") == held
    fmu.set("tie.too_far", 0.0)
    fmu.run(100)
    fell = fmu.get("ball.position.z")
    assert fell == pytest.approx(held - 0.5 * 9.81 * 0.1**2) and fmu.get("ties.count") == 0
    fmu.restore(state)
    fmu.time = time
    fmu.set("tie.magnet", 0.0)
    fmu.run(100)
    assert fmu.get("ball.position.z") == fell
    fmu.close()

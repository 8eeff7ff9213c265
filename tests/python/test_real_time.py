"""A controller of another process: the same bits as inside, and what happens when it misbehaves. Nothing here looks at the clock."""

import os
import socket
import stat
import struct
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

import footfall as ff

SCENE = "scenes/quadruped.yaml"
KP, KD = 40.0, 1.0


def start(command, folder, *options, scene=SCENE):
    """A run that waits at folder/robot.sock."""
    arguments = [command, "run", scene, "--socket", str(folder / "robot.sock"), *options]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (folder / "robot.sock").exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    return process


def finish(process):
    out, err = process.communicate(timeout=240)
    return process.returncode, out, err


def pd(wanted, q, nu):
    return KP * (wanted - q[7:]) - KD * nu[6:]


@pytest.mark.parametrize("every", [1, 5])
def test_a_controller_outside_gives_the_bits_of_the_same_one_inside(command, tmp_path, every):
    log = tmp_path / "outside.csv"
    process = start(command, tmp_path, "--lock-step", "--exchange-every", str(every), "--duration", "0.3", "--log", str(log))
    wanted, seen = None, 0
    with ff.RealTimeClient(tmp_path / "robot.sock") as robot:
        assert robot.lock_step and robot.holds and robot.step == 1e-3 and robot.period == pytest.approx(every * 1e-3)
        for sample in robot:
            wanted = sample.q[7:] + 0.1 if wanted is None else wanted
            robot.command(pd(wanted, sample.q, sample.nu))
            seen += 1
    code, out, err = finish(process)
    assert code == 0, err
    assert seen == 300 // every and f"{seen} states sent, {seen} commands received" in out
    sim = ff.Simulation(SCENE)
    wanted = sim.state.q[7:] + 0.1
    rows = ff.read_log(log)["base.position"]
    for k in range(300):
        assert np.array_equal(rows[k], sim.state.base_position), f"step {k}"
        if k % every == 0:
            sim.input.tau[:] = pd(wanted, sim.state.q, sim.state.nu)
        sim.step()
    assert np.abs(sim.state.q[7:] - ff.Simulation(SCENE).state.q[7:]).max() > 1e-3, "the controller has moved it"


def test_targets_move_what_holds_the_posture(command, tmp_path):
    process = start(command, tmp_path, "--lock-step", "--duration", "0.5", "--save-state", str(tmp_path / "end.state"))
    last = None
    with ff.RealTimeClient(tmp_path / "robot.sock") as robot:
        zero = np.zeros(len(robot.joint_names))
        for sample in robot:
            wanted = sample.q[7:].copy() if last is None else wanted
            wanted[2] = -1.0  # the first knee
            robot.command(zero, wanted)
            last = sample
    assert finish(process)[0] == 0
    assert robot.joint_names[2] == "lf_kfe" and abs(last.q[9] + 1.0) < 0.05
    assert last.sole_wrench.shape == (4, 6) and last.sole_wrench[:, 2].sum() > 0.0


def test_free_running_goes_on_without_a_controller_and_with_one_that_dies(command, tmp_path):
    process = start(command, tmp_path, "--real-time", "--duration", "1.5")
    first = ff.RealTimeClient(tmp_path / "robot.sock")
    assert not first.lock_step and first.wait() is not None
    first.command(np.ones(12))
    first._socket.close()  # it dies, without a word
    second = ff.RealTimeClient(tmp_path / "robot.sock")
    assert second.wait() is not None
    second.close()
    code, out, err = finish(process)
    assert code == 0, err
    assert "from 2 controllers" in out and "1500 steps to the clock" in out and "deadlines missed" in out


def test_a_lock_step_run_ends_when_its_controller_dies(command, tmp_path):
    log = tmp_path / "half.csv"
    process = start(command, tmp_path, "--lock-step", "--duration", "1", "--log", str(log))
    robot = ff.RealTimeClient(tmp_path / "robot.sock")
    for _ in range(10):
        robot.wait()
        robot.command(np.zeros(12))
    robot._socket.close()
    code, _, err = finish(process)
    assert code == 1 and "the controller has gone" in err and "log complete up to t" in err
    assert len(ff.read_log(log)["time"]) >= 10
    assert not (tmp_path / "robot.sock").exists()


@pytest.mark.parametrize("garbage, reason", [
    (b"hello", "fewer bytes"),
    (struct.pack("=IHHQ", 0x54524646, 7, 1, 0), "version 7, expected 1"),
    (os.urandom(4096), "no message of Footfall"),
])
def test_garbage_is_refused_and_the_run_goes_on(command, tmp_path, garbage, reason):
    process = start(command, tmp_path, "--lock-step", "--duration", "0.02")
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as raw:
        raw.connect(str(tmp_path / "robot.sock"))
        raw.send(garbage)
        assert reason in raw.recv(1 << 16)[16:].decode()
    with ff.RealTimeClient(tmp_path / "robot.sock") as robot:  # a good one comes after it
        for _ in robot:
            robot.command(np.zeros(12))
    code, out, _ = finish(process)
    assert code == 0 and "1 messages refused" in out and "20 commands received" in out


def test_a_command_that_is_no_number_is_refused_and_told(command, tmp_path):
    process = start(command, tmp_path, "--lock-step", "--duration", "0.02")
    robot = ff.RealTimeClient(tmp_path / "robot.sock")
    robot.wait()
    wanted = np.zeros(12)
    wanted[2] = np.nan
    with pytest.raises(ValueError, match="the torque of the joint 'lf_kfe' is nan, expected a finite number"):
        robot.command(wanted)
    with pytest.raises(ValueError, match="the target of the joint"):
        robot.command(np.zeros(12), wanted)
    robot._send(4, robot._number, wanted.tobytes())  # a client of another language
    with pytest.raises(ConnectionError, match="not finite"):
        robot.wait()
    code, _, err = finish(process)
    assert code == 1 and "not finite" in err


def test_the_socket_belongs_to_its_owner(command, tmp_path):
    process = start(command, tmp_path, "--lock-step")
    mode = (tmp_path / "robot.sock").stat().st_mode
    assert stat.S_ISSOCK(mode) and stat.S_IMODE(mode) == 0o600
    process.terminate()
    assert finish(process)[0] == 130
    assert not (tmp_path / "robot.sock").exists()


def test_mistakes_are_told(command, tmp_path):
    def said(*arguments):
        done = subprocess.run([command, "run", *arguments], capture_output=True, text=True)
        assert done.returncode == 2, done
        return done.stderr

    assert "--socket" in said(SCENE, "--lock-step")
    assert "--exchange-every" in said(SCENE, "--socket", str(tmp_path / "a"), "--exchange-every", "0")
    assert "cannot be made" in said(SCENE, "--socket", str(tmp_path / "no" / "folder"))
    (tmp_path / "chain.yaml").write_text("blocks: {wave: Sine}\n")
    assert "diagram" in said(str(tmp_path / "chain.yaml"), "--socket", str(tmp_path / "a"))
    with pytest.raises(FileNotFoundError):
        ff.RealTimeClient(tmp_path / "nobody")


def test_a_controller_in_cpp(command, tmp_path):
    """The example is compiled from its one header, against nothing of the library."""
    root = Path(__file__).resolve().parents[2]
    program = tmp_path / "controller"
    compiler = os.environ.get("CXX", "c++")
    subprocess.run([compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{root}/include", f"{root}/examples/real_time/controller.cpp", "-o", str(program)], check=True)
    process = start(command, tmp_path, "--lock-step", "--duration", "0.1")
    done = subprocess.run([str(program), str(tmp_path / "robot.sock")], capture_output=True, text=True, check=True)
    assert finish(process)[0] == 0 and "100 states" in done.stdout
    assert subprocess.run([str(program), str(tmp_path / "nobody")], capture_output=True).returncode == 1


def test_a_client_without_a_run_says_where_it_looked(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"--socket FILE.*robot\.sock"):
        ff.RealTimeClient(tmp_path / "robot.sock")
    (tmp_path / "plain").write_text("no socket")
    with pytest.raises(ConnectionRefusedError, match="plain"):
        ff.RealTimeClient(tmp_path / "plain")
    with pytest.raises(OSError, match="too long.*xxxx"):
        ff.RealTimeClient(tmp_path / ("x" * 200))


def test_a_client_may_be_closed_twice_and_is_then_closed(command, tmp_path):
    process = start(command, tmp_path, "--lock-step", "--duration", "0.1")
    with ff.RealTimeClient(tmp_path / "robot.sock") as robot:
        robot.wait()
        robot.close()
        robot.close()
        for misuse in (robot.wait, lambda: robot.command(np.zeros(12))):
            with pytest.raises(ConnectionError, match="closed"):
                misuse()
    assert finish(process)[0] == 1  # lock-step: it has lost its controller

"""FMI 3.0 in a host that is not FMPy: the crate fmi-rs of Dassault Systèmes, which reads and writes arrays.

It is compiled from some 90 crates, so it is tried only when asked for: cmake -DFOOTFALL_TEST_RUST=ON (needs cargo)."""

import json
import os
import pathlib
import subprocess

import pytest

from conftest import export
from host import Robot

STEPS = 200


@pytest.fixture(scope="module")
def host():
    target = os.environ.get("FOOTFALL_RUST_TARGET")
    if not target:
        pytest.skip("not asked for: FOOTFALL_TEST_RUST is off")
    project = pathlib.Path(__file__).with_name("fmi_rs_host")
    subprocess.run(["cargo", "build", "--quiet", "--manifest-path", project / "Cargo.toml", "--target-dir", target], check=True)
    return pathlib.Path(target, "debug", "fmi_rs_host")


def test_arrays_have_the_bits_that_fmpy_reads(folder, host):
    fmu = export(folder, "3")
    robot = Robot(fmu)
    push = [3.0, 0.0, 0.0, 0.0, 0.5, 0.0]
    robot.slave.setFloat64(robot.reference("wrench.pelvis"), push)
    robot.run(STEPS)
    arrays = {"base.position": 3, "base.quaternion": 4, "l_sole.force": 3, "l_knee.position": 1}
    wishes = [f"get:{robot.reference(name)[0]}:{size}" for name, size in arrays.items()]
    wishes.append(f"set:{robot.reference('wrench.pelvis')[0]}={','.join(map(str, push))}")
    done = subprocess.run([host, fmu, str(STEPS), "1e-3", *wishes], check=True, capture_output=True, text=True)
    read = dict(zip(arrays, map(json.loads, done.stdout.splitlines())))
    expected = {name: list(robot.slave.getFloat64(robot.reference(name), size)) for name, size in arrays.items()}
    assert read == expected
    still = Robot(fmu)
    still.run(STEPS)
    assert expected["base.position"][0] != still.get("base.position.x"), "the array that was written acts"
    robot.close()
    still.close()

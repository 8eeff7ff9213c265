"""Runs of the real command, shared by the tests."""

import os
import pathlib
import subprocess

import pytest

COMMAND = os.environ["FOOTFALL_COMMAND"]
SOURCE = pathlib.Path(os.environ["FOOTFALL_SOURCE_DIR"])


def footfall(*arguments, cwd):
    return subprocess.run([COMMAND, *map(str, arguments)], cwd=cwd, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="session")
def icub(tmp_path_factory):
    """A folder with the same run of iCub, with its sensors, as run.mcap, run.csv and run.mat."""
    folder = tmp_path_factory.mktemp("icub")
    for ending in ("mcap", "csv", "mat"):
        footfall("run", SOURCE / "scenes/icub_sensors.yaml", "--duration", "0.5", "--set", "run.seed=7",
                 "--log", f"run.{ending}", "--quiet", cwd=folder)
    return folder

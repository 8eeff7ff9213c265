"""Runs of the real command, shared by the tests."""

import csv
import math
import os
import pathlib
import subprocess

import pytest
from mcap.reader import make_reader
from mcap_protobuf.decoder import DecoderFactory

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


class Table:
    """A CSV log: columns by their name with unit, as floats; what is empty is not a number."""

    def __init__(self, path):
        with open(path, newline="") as file:
            lines = [line for line in file if not line.startswith("#")]
        rows = list(csv.reader(lines))
        self.columns = {name: [float(row[i]) if row[i] else math.nan for row in rows[1:]]
                        for i, name in enumerate(rows[0])}


@pytest.fixture(scope="session")
def table(icub):
    return Table(icub / "run.csv")


@pytest.fixture()
def reader(icub):
    with open(icub / "run.mcap", "rb") as file:
        yield make_reader(file, validate_crcs=True, decoder_factories=[DecoderFactory()])

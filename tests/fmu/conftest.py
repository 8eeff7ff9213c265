"""FMUs made by the command, one for each version of FMI, shared by all the tests."""

import csv
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(os.environ["FOOTFALL_SOURCE_DIR"])
COMMAND = os.environ["FOOTFALL_COMMAND"]
SCENE = ROOT / "scenes" / "biped_rod_ankles.yaml"  # contacts, impacts, loops and a push; needs no download


def footfall(*arguments):
    return subprocess.run([COMMAND, *map(str, arguments)], check=True, capture_output=True, text=True)


def export(folder, version, scene=SCENE, *options):
    path = folder / f"{pathlib.Path(scene).stem}_{version}.fmu"
    footfall("export", "fmu", scene, "-o", path, "--fmi", version, *options)
    return path


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fmu")


@pytest.fixture(scope="session", params=["2", "3"])
def fmu(request, folder):
    return export(folder, request.param)


@pytest.fixture(scope="session")
def log(folder):
    """What the command logs for the same scene: a row for each step, by name of the column."""
    path = folder / "run.csv"
    footfall("run", SCENE, "--duration", "1.2", "--log", path, "--quiet")
    with open(path) as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    names = [name.split(" [")[0] for name in rows[0]]
    return [dict(zip(names, row)) for row in rows[1:]]

import os
from pathlib import Path

import pytest

import footfall as ff

SOURCE = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def in_source_folder(monkeypatch):
    monkeypatch.chdir(SOURCE)


@pytest.fixture
def box():
    return ff.Simulation("scenes/falling_box.yaml")


@pytest.fixture
def biped():
    return ff.Simulation("scenes/biped_rod_ankles.yaml")


@pytest.fixture
def command():
    """The program of the same build."""
    return os.environ["FOOTFALL_COMMAND"]

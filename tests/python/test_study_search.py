"""A study that searches: Optuna chooses, footfall runs."""

import json
import re
import subprocess

import pytest
from study_files import SCENE, call_sweep, kill_when, sweep_command, write_study

pytest.importorskip("optuna", reason="the package optuna is not installed (requirements.txt, group test)")

GRAVITY = 9.81
TARGET = 0.08  # [m]

# The friction at which a block that is thrown at 1 m/s stops after 8 cm: v² / (2 g x) = 0.637.
SEARCH = f"""
scene: scene.yaml
seed: 3
search: {{minimize: miss, method: METHOD, trials: TRIALS, batch: 8}}
parameters:
  ground.friction: {{from: 0.1, to: 1.5}}
set: {{run.duration: 0.6 s}}
outcomes:
  travelled: final(base.position.x)
  miss: abs(travelled - {TARGET})
"""


def search_study(folder, method, trials):
    return write_study(folder, SEARCH.replace("METHOD", method).replace("TRIALS", str(trials)), SCENE)


@pytest.mark.parametrize("method", ["bayesian", "evolution", "genetic"])
def test_a_search_finds_the_friction_that_stops_a_block_where_it_should(tmp_path, method):
    if method == "evolution":
        pytest.importorskip("cmaes", reason="the package cmaes is not installed (requirements.txt, group test)")
    found = call_sweep(search_study(tmp_path, method, 64))
    assert found.returncode == 0, found.stderr
    best = re.search(r"best +case \d+: ground.friction = ([\d.]+), miss = ([\d.e-]+)", found.stdout)
    assert best, found.stdout
    # The slope of the distance over the friction is x / µ = 0.126 m: 3 mm are 0.024 of friction; a step is 1 mm.
    assert float(best[2]) < 3e-3
    assert abs(float(best[1]) - 1 / (2 * GRAVITY * TARGET)) < 0.04
    assert "Found: case" in (tmp_path / "study.results" / "report.html").read_text()


def test_a_search_chooses_the_same_on_any_number_of_processes_and_after_a_kill(tmp_path):
    study = search_study(tmp_path, "bayesian", 60)
    outputs = [tmp_path / name for name in ("one", "three", "killed")]
    assert call_sweep(study, "--jobs", "1", "--output", str(outputs[0])).returncode == 0
    assert call_sweep(study, "--jobs", "3", "--output", str(outputs[1])).returncode == 0
    process = subprocess.Popen(sweep_command(study, "--jobs", "2", "-q", "--output", str(outputs[2])))
    kill_when(process, outputs[2] / "journal.jsonl", 20)
    found = call_sweep(study, "--jobs", "2", "--output", str(outputs[2]))
    assert found.returncode == 0 and "goes on: 2" in found.stderr, found.stderr
    tables = [(output / "results.csv").read_bytes() for output in outputs]
    assert tables[0] == tables[1] == tables[2]


def test_outcomes_of_other_cases_are_not_taken_for_those_of_the_search(tmp_path):
    study = search_study(tmp_path, "bayesian", 8)
    assert call_sweep(study, "-q").returncode == 0
    journal = tmp_path / "study.results" / "journal.jsonl"
    from footfall.study._journal import _line

    lines = journal.read_bytes().splitlines(keepends=True)
    changed = json.loads(lines[1].split(b" ", 1)[1])
    changed["settings"] = [0.123]
    journal.write_bytes(b"".join([lines[0], _line(changed), *lines[2:]]))
    found = call_sweep(study)
    assert found.returncode == 2 and "does not choose the cases that are done" in found.stderr


def test_a_search_that_makes_no_sense_is_refused(tmp_path):
    wrong = [
        ("minimize: miss", "minimize: mis", "did you mean 'miss'"),
        ("trials: 8", "trials: 0", "whole number of 1 or more"),
        ("{from: 0.1, to: 1.5}", "{mean: 0.5, deviation: 0.1}", "a search needs a range"),
        ("parameters:", "sample: grid\nparameters:", "does not go together"),
    ]
    for before, after, expected in wrong:
        path = search_study(tmp_path, "bayesian", 8)
        assert before in path.read_text()
        path.write_text(path.read_text().replace(before, after))
        found = call_sweep(path)
        assert found.returncode == 2 and expected in found.stderr, found.stderr

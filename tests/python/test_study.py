"""Studies: what they vary, what they keep, and what becomes of them when something goes wrong."""

import csv
import io
import json
import os
import re
import resource
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import qmc
from study_files import GRID, SCENE, call_sweep, kill_when, lines_of, random_study, sweep_command, write_study

import footfall as ff
from footfall.study import StudyError, read_study, sweep
from footfall.study.__main__ import main as study_command
from footfall.study._formula import Formula
from footfall.study._journal import Journal
from footfall.study._progress import Progress
from footfall.study._samples import case_seed, unit_points
from footfall.study._sweep import Options, Sweep

GRAVITY = 9.81


def read_csv(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def formula(text, **values):
    return Formula(text, "here", over_time=True).evaluate(values)


# ---- what is varied -------------------------------------------------------------------------------------------------


def test_a_grid_has_all_combinations_and_the_last_parameter_runs_fastest(tmp_path):
    study = read_study(write_study(tmp_path, GRID))
    settings = [study.case(number).settings for number in range(study.case_count)]
    frictions = [0.2, 0.4, 0.6000000000000001, 0.8]
    assert settings == [(friction, speed) for friction in frictions for speed in (0.5, 1)]


def test_ends_of_a_range_are_exact_on_both_scales(tmp_path):
    for scale in ("linear", "log"):
        text = GRID.replace("count: 4", f"count: 7, scale: {scale}")
        values = read_study(write_study(tmp_path, text)).parameters[0].values
        assert (values[0], values[-1], len(values)) == (0.2, 0.8, 7)
    steps = np.diff(np.log(values))
    assert np.allclose(steps, steps[0], rtol=1e-12)


def test_sobol_points_are_those_of_scipy_with_shifted_digits():
    ours = unit_points("sobol", 64, 20, seed=3)
    theirs = qmc.Sobol(20, scramble=False, bits=32).random(64)
    digits = (ours * 2**32).astype(np.uint64) ^ (theirs * 2**32).astype(np.uint64)
    assert (digits == digits[0]).all()
    assert len(np.unique((ours[:32] * 32).astype(int)[:, 0])) == 32


@pytest.mark.parametrize("count", [1, 7, 100])
def test_a_latin_hypercube_has_one_point_in_every_slice(count):
    points = unit_points("latin_hypercube", count, 5, seed=1)
    for column in points.T:
        assert sorted((column * count).astype(int)) == list(range(count))


def test_a_longer_random_study_begins_with_the_same_cases():
    assert (unit_points("random", 10, 3, seed=1) == unit_points("random", 50, 3, seed=1)[:10]).all()
    assert (unit_points("random", 10, 3, seed=1) != unit_points("random", 10, 3, seed=2)).all()


def test_a_normal_parameter_has_its_mean_and_deviation_and_stays_in_its_bounds(tmp_path):
    text = GRID.replace("{from: 0.2, to: 0.8, count: 4}", "{mean: 0.5, deviation: 0.1, from: 0.3, to: 10}")
    text = text.replace("parameters:", "sample: {method: latin_hypercube, count: 2000}\nparameters:")
    study = read_study(write_study(tmp_path, text))
    values = np.array([study.case(number).settings[0] for number in range(2000)])
    # Cut off at two deviations below: mean and deviation of a truncated bell.
    phi, tail = np.exp(-2.0) / np.sqrt(2 * np.pi), 0.9772498680518208
    mean = 0.5 + 0.1 * phi / tail
    deviation = 0.1 * np.sqrt(1 - 2.0 * phi / tail - (phi / tail) ** 2)
    assert values.min() >= 0.3
    assert abs(values.mean() - mean) < 1e-4  # 2000 slices, one point in each
    assert abs(values.std() - deviation) < 1e-3


def test_seeds_belong_to_cases_and_fit_into_a_double():
    seeds = [case_seed(study, case) for study in range(3) for case in range(1000)]
    assert len(set(seeds)) == len(seeds)
    assert all(seed == int(float(seed)) for seed in seeds)


def test_units_of_the_study_reach_the_scene_and_formulas_see_si_units(tmp_path):
    text = """
scene: scene.yaml
parameters: {strength: [1 kN], direction: [90 deg], ground.incline: [10 deg]}
set: {pushes.0.force: [strength * cos(direction), strength * sin(direction), 0]}
outcomes: {x: final(base.position.x)}
"""
    study = read_study(write_study(tmp_path, text))
    changes = dict(study.changes_of(study.case(0)))
    assert changes["ground.incline"] == "10.0 deg"
    force = json.loads(changes["pushes.0.force"])
    assert np.allclose(force, [0, 1000, 0], atol=1e-12)


# ---- what is kept ---------------------------------------------------------------------------------------------------


def test_outcomes_are_those_of_the_same_run_by_hand(tmp_path):
    text = """
scene: scene.yaml
parameters: {ground.friction: [0.3]}
outcomes:
  x: final(base.position.x)
  fastest: max(norm(base.velocity))
  force: mean(box.force.z)
  height: initial(com.position.z)
  energy: final(energy.total) - initial(energy.total)
  half: at(base.position.x, 0.01)
  slow: time_when(base.velocity.x < 0.98)
  stopped: time_when(base.velocity.x < 0)
  quick: always(base.velocity.x > 0.9) and not ever(base.velocity.x > 2)
  both: x + fastest
"""
    found = read_csv(sweep(write_study(tmp_path, text), jobs=1).files[0])[0]
    sim = ff.Simulation(SCENE, set={"ground.friction": 0.3})
    sim.run(log=str(tmp_path / "run.csv"))
    log = ff.read_log(tmp_path / "run.csv")
    speed = log["base.velocity"]
    assert float(found["x"]) == log["base.position.x"][-1]
    assert float(found["fastest"]) == np.sqrt(np.sum(speed * speed, axis=1)).max()
    assert float(found["force"]) == np.nanmean(log["box.force.z"])
    assert float(found["height"]) == log["com.position.z"][0]
    assert float(found["energy"]) == log["energy.total"][-1] - log["energy.total"][0]
    assert float(found["half"]) == np.interp(0.01, log.time, log["base.position.x"])
    assert float(found["slow"]) == log.time[np.flatnonzero(speed[:, 0] < 0.98)[0]]
    assert found["stopped"] == "" and found["quick"] == "true"
    assert float(found["both"]) == float(found["x"]) + float(found["fastest"])


def test_a_block_slides_as_far_as_coulomb_says(tmp_path):
    text = GRID.replace("outcomes:", "set: {run.duration: 0.6 s}\noutcomes:")
    for row in read_csv(sweep(write_study(tmp_path, text), jobs=2).files[0]):
        speed, friction = float(row["robot.base.velocity.0"]), float(row["ground.friction"])
        # The push of 1 N for a step adds to the normal force by a tenth for 1 ms: far below the tolerance of one step.
        expected = speed**2 / (2 * friction * GRAVITY)
        assert abs(float(row["travelled"]) - expected) < 1.5e-3 * speed


def test_a_text_parameter_reaches_the_scene_through_a_name(tmp_path):
    study = GRID.replace("  robot.base.velocity.0: [0.5, 1]\n", "  kind: [rigid, compliant]\nset: {physics.contact: kind}\n")
    by_name = call_sweep(write_study(tmp_path, study), "-q", "--output", str(tmp_path / "by_name"))
    assert by_name.returncode == 0, by_name.stderr
    (tmp_path / "again").mkdir()
    direct = study.replace("  kind:", "  physics.contact:").replace("set: {physics.contact: kind}\n", "")
    assert call_sweep(write_study(tmp_path / "again", direct), "-q").returncode == 0
    outcomes = [
        [line.split(",", 2)[2:] for line in (folder / "results.csv").read_text().splitlines()[1:]]
        for folder in (tmp_path / "by_name", tmp_path / "again" / "study.results")
    ]
    assert outcomes[0] == outcomes[1] and len({line[0].split(",")[-3] for line in outcomes[0]}) > 4


def test_a_title_of_several_lines_is_a_title(tmp_path):
    found = call_sweep(write_study(tmp_path, "study: |\n  Two\n  lines\n" + GRID))
    assert found.returncode == 0, found.stderr
    assert "Two lines: 8 of 8 cases" in found.stdout


@pytest.mark.parametrize("arguments, problem", [
    ({"output": ""}, "--output: is empty"), ({"on": "moon"}, "--on: is 'moon'"), ({"jobs": 0}, "--jobs: is 0, expected 1 or more"),
])
def test_what_cannot_be_meant_is_refused_before_anything_is_written(tmp_path, arguments, problem):
    study = write_study(tmp_path, GRID)
    found = call_sweep(study, *(word for key, value in arguments.items() for word in (f"--{key}", str(value))), cwd=tmp_path)
    assert found.returncode == 2 and found.stderr.startswith(f"error: {problem}"), found.stderr
    with pytest.raises(StudyError, match=problem):
        sweep(study, **arguments)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["scene.yaml", "study.yaml"]


@pytest.mark.parametrize("arguments", [{"jobs": 1.5}, {"jobs": "2"}, {"jobs": True}, {"on": None}, {"on": 3}])
def test_options_of_another_type_are_refused(tmp_path, arguments):
    with pytest.raises(StudyError, match=f"--{next(iter(arguments))}: is "):
        sweep(write_study(tmp_path, GRID), **arguments)
    assert not (tmp_path / "study.results").exists()


def test_a_study_of_ours_is_found_by_its_name(tmp_path):
    if not (ff.data_dir() / "scenes" / "studies").is_dir():
        pytest.skip("the build tree has no scenes of a package")
    found = call_sweep(tmp_path / "push.yaml")
    assert found.returncode == 2 and "Footfall's own is" in found.stderr


def test_every_sees_fewer_rows(tmp_path):
    text = GRID.replace("outcomes:", "every: 5 ms\noutcomes:\n  late: time_when(time > 0.0011)")
    rows = read_csv(sweep(write_study(tmp_path, text), jobs=1).files[0])
    assert {row["late"] for row in rows} == {"0.005"}


def test_a_file_that_all_cases_would_write_is_refused(tmp_path):
    """Which of them fail would depend on the number of processes; a file for each is fine."""
    diagram = "blocks: {wave: {block: Sine, amplitude: 1, frequency: 1}, out: {block: Log, file: out.csv}}\nconnect: [wave -> out]\nrun: {duration: 10 ms}\n"
    grid = "scene: scene.yaml\nparameters: {blocks.wave.amplitude: [1, 2]}\noutcomes: {last: final(wave.out)}\n"
    with pytest.raises((StudyError, ff.Error), match="the block 'out' writes a file"):
        sweep(write_study(tmp_path, grid, diagram), jobs=1)
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    own = f"scene: scene.yaml\nparameters: {{blocks.out.file: ['{first}', '{second}']}}\noutcomes: {{last: final(wave.out)}}\n"
    sweep(write_study(tmp_path, own, diagram), jobs=1)
    assert len(ff.read_log(first).time) == len(ff.read_log(second).time) == 10


def test_a_scene_with_a_diagram_runs_its_diagram(tmp_path):
    (tmp_path / "study.yaml").write_text(
        "scene: loop.yaml\nparameters: {blocks.source.amplitude: [1, 2]}\n"
        "outcomes: {most: max(source.out), end: final(sum.out)}\n"
    )
    (tmp_path / "loop.yaml").write_text(
        "blocks:\n  source: {block: Sine, amplitude: 1, frequency: 1}\n  sum: {block: Integrator}\n"
        "connect: [source.out -> sum.in]\nlog: [source.out, sum.out]\nrun: {duration: 0.5 s}\n"
    )
    rows = read_csv(sweep(tmp_path / "study.yaml", jobs=1).files[0])
    # The integral of a sin(2 π t) over half a period is a / π.
    assert [float(row["most"]) for row in rows] == pytest.approx([1, 2], abs=1e-4)
    assert [float(row["end"]) for row in rows] == pytest.approx([1 / np.pi, 2 / np.pi], abs=1e-4)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2^3^2", 512.0),
        ("-2^2", -4.0),
        ("1 < 2 <= 2", True),
        ("min(3, 2) + max(1, 4)", 6.0),
        ("not (1 > 2 or 3 > 4)", True),
        ("atan2(1, 1) * 4 / pi", 1.0),
        ("'a-b' * 2", 6.0),
        ("a[0].b + a[1].b", 30.0),
    ],
)
def test_formulas_mean_what_mathematics_means(text, expected):
    assert formula(text, **{"a-b": 3.0, "a[0].b": 10.0, "a[1].b": 20.0}) == pytest.approx(expected)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "().__class__",
        "(1).real",
        "[x for x in (1, 2)]",
        "lambda: 1",
        "open('/etc/passwd')",
        "x := 1",
        "f'{1}'",
        "final(*x)",
        "final(x=1)",
        "1 if 2 else 3",
        "9" * 400 + " + x",
        "(" * 500 + "1" + ")" * 500,
        "-" * 500 + "1",
        "x" * 5000,
        "a\0b",
        "b'1'",
        "1j",
        "x @ y",
        "~1",
        "",
    ],
)
def test_nothing_but_arithmetic_is_a_formula(text):
    with pytest.raises(StudyError):
        formula(text)


# ---- what is wrong with a study is said before it runs --------------------------------------------------------------

WRONG = {
    "unknown key of the scene": (
        "ground.friction:",
        "ground.frition:",
        r"study\.yaml:4: ground\.frition is not a known key",
        "friction",
    ),
    "unknown entry of a list": (
        "robot.base.velocity.0",
        "pushes.3.force.0",
        r"study\.yaml:5: .*'3' is not the number of an entry",
        "",
    ),
    "value that the scene refuses": ("0.2, to", "-1, to", r"study\.yaml:4: ground\.friction", ""),
    "unknown joint": ("ground.friction:", "robot.initial.kne:", r"study\.yaml:4: .*no joint 'kne'", ""),
    "unknown channel": (
        "base.position.x",
        "base.positon.x",
        r"study\.yaml:7: .*no channel 'base\.positon\.x'",
        "base.position",
    ),
    "unknown function": ("final(", "finl(", r"study\.yaml:7: .*no function 'finl'", "final"),
    "a signal where a number is needed": (
        "final(base.position.x)",
        "base.position.x",
        r"study\.yaml:7: .*for every instant",
        "final",
    ),
    "a vector where a signal is needed": (
        "final(base.position.x)",
        "max(base.position)",
        r"study\.yaml:7: .*needs a single signal",
        "",
    ),
    "unknown key of the study": ("outcomes:", "outcoms:", r"outcoms is not a known key", "outcomes"),
    "no parameters": (
        GRID[GRID.index("parameters:") : GRID.index("outcomes:")],
        "parameters: {}\n",
        r"study\.yaml:3: parameters names none",
        "",
    ),
    "empty list": ("[0.5, 1]", "[]", r"study\.yaml:5: .*has no values", ""),
    "parameter that is used nowhere": (
        "ground.friction:",
        "friction:",
        r"study\.yaml:4: .*'friction' is no key",
        "ground.friction",
    ),
    "a range that is upside down": ("from: 0.2", "from: 2", r"study\.yaml:4: .*from must be below to", ""),
    "a range without count in a grid": (", count: 4", "", r"study\.yaml:4: .*how many values", "count"),
    "count of zero": ("count: 4", "count: 0", r"study\.yaml:4: .*whole number of 1 or more", ""),
    "a range of one value": ("count: 4", "count: 1", r"study\.yaml:4: .*count is 1, and a range has two ends", "[0.2]"),
    "rows that no step ends": ("outcomes:", "every: 1.5 ms\noutcomes:", r"study\.yaml:6: .*every is 0\.0015 s", "0.002"),
    "rows in the past": ("outcomes:", "every: -1\noutcomes:", r"study\.yaml:6: every is -1", ""),
    "no such scene": ("scene.yaml", "scen.yaml", r"study\.yaml:2: scene is 'scen\.yaml'", "looked for"),
    "no YAML": ("outcomes:", "outcomes: [", r"study\.yaml:\d+: this is not YAML", ""),
    "unknown method": (
        "parameters:",
        "sample: {method: sobl, count: 8}\nparameters:",
        r"study\.yaml:3: .*'sobl'",
        "sobol",
    ),
    "method without count": ("parameters:", "sample: sobol\nparameters:", r"study\.yaml:3: .*how many", "count"),
    "numbers that are none": ("[0.5, 1]", "[0.5, .nan]", r"study\.yaml:5: .*'\.nan', expected a finite number", ""),
    "numbers without limit": ("[0.5, 1]", "[0.5, -.inf]", r"study\.yaml:5: .*'-\.inf', expected a finite number", ""),
    "lists of lists": ("[0.5, 1]", "[[0.5, 0], [1, 0]]", r"study\.yaml:5: .*is a list, expected a number or a text", "set"),
    "an outcome without a name": ("travelled:", "' ':", r"study\.yaml:7: .*no name for a column", ""),
    "an outcome of two lines": ("travelled:", '"a\\nb":', r"study\.yaml:7: .*no name for a column", ""),
    "an entry of a list that the scene does not have": (
        "robot.base.velocity.0",
        "robot.base.rpy.0",
        r"study\.yaml:5: .*no list whose entry 0",
        "the whole list",
    ),
    "a distribution that is cut off where it is nothing": (
        "ground.friction: {from: 0.2, to: 0.8, count: 4}",
        "ground.friction: {mean: 0.5, deviation: 0.01, from: 0.7}",
        r"study\.yaml:4: .*leaves nothing of the distribution",
        "",
    ),
    "a text in arithmetic": (
        "outcomes:",
        "  kind: [a, b]\nset: {ground.restitution: 0.1 * kind}\noutcomes:",
        r"study\.yaml:7: '0\.1 \* kind' cannot be computed: kind is the text 'a'",
        "",
    ),
    "too many cases": ("count: 4", "count: 999999", r"1,999,998 cases", ""),
    "an outcome called as a column": ("travelled:", "seed:", r"study\.yaml:7: .*another column", ""),
    "a parameter that is also set": (
        "outcomes:",
        "set: {ground.friction: 0.5}\noutcomes:",
        r"ground\.friction is both a parameter and in `set`",
        "",
    ),
    "two units": ("from: 0.2, to", "from: 1 deg, to", r"study\.yaml:4: .*another unit", ""),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_study_is_refused_with_file_and_line(tmp_path, name):
    before, after, expected, hint = WRONG[name]
    assert before in GRID
    found = call_sweep(write_study(tmp_path, GRID.replace(before, after)))
    assert found.returncode == 2, found.stderr
    assert re.search(expected, found.stderr), found.stderr
    assert hint in found.stderr, found.stderr
    assert found.stderr.startswith("error: ") and "Traceback" not in found.stderr
    assert not (tmp_path / "study.results").exists()


# ---- cases that fail, processes that end ----------------------------------------------------------------------------


def test_a_failing_case_says_why_and_the_others_go_on(tmp_path):
    text = GRID.replace("robot.base.velocity.0: [0.5, 1]", "robot.base.position.2: [0.1, 0.05]")
    found = call_sweep(write_study(tmp_path, text), "--jobs", "2")
    assert found.returncode == 1, found.stderr
    assert "failed     4" in found.stdout and "inside the ground" in found.stdout, found.stdout
    rows = read_csv(tmp_path / "study.results" / "results.csv")
    assert [row["status"] for row in rows] == ["done", "failed"] * 4
    assert all(
        "inside the ground" in row["failure"] and row["travelled"] == "" for row in rows if row["status"] == "failed"
    )
    assert "inside the ground" in (tmp_path / "study.results" / "report.html").read_text()


DEADLY_BLOCK = """
import os, footfall as ff

class Deadly(ff.Block):
    def __init__(self, on): self.on = on
    def declare(self, io): io.output("out")
    def outputs(self, e):
        if self.on == 3: os.kill(os.getpid(), 9)
        if self.on == 5: raise ValueError("five is too much")
        e["out"] = self.on
"""


def test_a_case_that_ends_its_process_fails_alone(tmp_path):
    (tmp_path / "deadly.py").write_text(DEADLY_BLOCK)
    (tmp_path / "loop.yaml").write_text(
        "blocks:\n  it: {block: 'python:deadly.Deadly', on: 1}\nlog: [it.out]\nrun: {duration: 0.01 s}\n"
    )
    study = tmp_path / "study.yaml"
    study.write_text(
        "scene: loop.yaml\nparameters: {blocks.it.on: {from: 0, to: 19, count: 20}}\noutcomes: {o: final(it.out)}\n"
    )
    path = os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]])
    found = call_sweep(study, "--jobs", "2", env={**os.environ, "PYTHONPATH": path})
    assert found.returncode == 1, found.stderr
    rows = read_csv(tmp_path / "study.results" / "results.csv")
    failures = {int(row["case"]): row["failure"] for row in rows if row["status"] == "failed"}
    assert set(failures) == {3, 5}
    assert "SIGKILL" in failures[3] and "five is too much" in failures[5]
    assert [float(row["o"]) for row in rows if row["o"]] == [k for k in range(20) if k not in (3, 5)]


# ---- the same table whatever happens --------------------------------------------------------------------------------


def test_the_table_does_not_depend_on_the_number_of_processes(tmp_path):
    study = random_study(tmp_path, 60)
    tables = []
    for jobs in ("1", "3"):
        assert call_sweep(study, "--jobs", jobs, "--output", str(tmp_path / jobs)).returncode == 0
        tables.append([(tmp_path / jobs / name).read_bytes() for name in ("results.csv", "report.html")])
    assert tables[0] == tables[1]


def test_seeds_reach_the_sensors(tmp_path):
    sensors = "sensors:\n  - {type: imu, name: imu, frame: box, noise: {acceleration: 1}}\n"
    text = GRID.replace("base.position.x", "sensor.imu.acceleration.x")
    text = text.replace("outcomes:", "repeat: 2\nseed: 1\noutcomes:")
    rows = read_csv(sweep(write_study(tmp_path, text, SCENE + sensors), jobs=1).files[0])
    values = [row["travelled"] for row in rows]
    assert len(rows) == 16 and len(set(values)) == 16
    assert [row["repeat"] for row in rows[:4]] == ["0", "1", "0", "1"]
    again = read_csv(sweep(tmp_path / "study.yaml", jobs=2, restart=True).files[0])
    assert [row["travelled"] for row in again] == values


def test_a_sweep_that_is_killed_goes_on_to_the_same_table(tmp_path):
    study = random_study(tmp_path, 400, "0.2 s")
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert call_sweep(study, "--output", str(whole)).returncode == 0
    for done in (20, 150):
        process = subprocess.Popen(sweep_command(study, "--output", str(killed), "--jobs", "2", "-q"))
        kill_when(process, killed / "journal.jsonl", done)
        assert not (killed / "results.csv").exists()
    before = lines_of(killed / "journal.jsonl") - 1
    found = call_sweep(study, "--output", str(killed))
    assert found.returncode == 0 and re.search(rf"goes on: {before} of 400", found.stderr), found.stderr
    assert (killed / "results.csv").read_bytes() == (whole / "results.csv").read_bytes()
    assert (killed / "report.html").read_bytes() == (whole / "report.html").read_bytes()
    cases = [json.loads(line.split(b" ", 1)[1]).get("case") for line in open(killed / "journal.jsonl", "rb")][1:]
    assert sorted(cases) == list(range(400))


def test_processes_end_with_the_sweep_that_is_killed(tmp_path):
    study = random_study(tmp_path, 4, "1000 s")
    process = subprocess.Popen(sweep_command(study, "--jobs", "2", "-q"))
    workers = []
    while len(workers) < 2:
        assert process.poll() is None
        time.sleep(0.05)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        workers = [int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]
    time.sleep(1.0)  # they are in their first case, which would last for minutes
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    for _ in range(200):
        alive = [
            pid
            for pid in workers
            if os.path.exists(f"/proc/{pid}") and "Z" not in open(f"/proc/{pid}/stat").read().split()[2]
        ]
        if not alive:
            return
        time.sleep(0.05)
    pytest.fail(f"still there: {alive}")


@pytest.mark.parametrize("cut", [1, 10, 40])
def test_a_torn_last_line_of_the_journal_is_one_case_to_run_again(tmp_path, cut):
    study = write_study(tmp_path, GRID)
    sweep(study, jobs=1)
    journal, results = tmp_path / "study.results" / "journal.jsonl", tmp_path / "study.results" / "results.csv"
    whole = results.read_bytes()
    journal.write_bytes(journal.read_bytes()[:-cut])
    results.unlink()
    assert sweep(study, jobs=1).resumed == 7
    assert results.read_bytes() == whole


def test_damage_in_the_middle_of_the_journal_is_no_torn_line(tmp_path):
    study = write_study(tmp_path, GRID)
    sweep(study, jobs=1)
    journal = tmp_path / "study.results" / "journal.jsonl"
    lines = journal.read_bytes().split(b"\n")
    lines[3] = lines[3].replace(b"0", b"1")
    journal.write_bytes(b"\n".join(lines))
    with pytest.raises(StudyError, match=r"journal.jsonl:4: this line of the journal is damaged"):
        sweep(study, jobs=1)


def test_another_study_does_not_take_the_cases_of_this_one(tmp_path):
    study = write_study(tmp_path, GRID)
    sweep(study, jobs=1)
    study.write_text("# a comment changes nothing\n" + GRID)
    assert sweep(study, jobs=1).resumed == 8
    study.write_text(GRID.replace("final", "max"))
    with pytest.raises(StudyError, match="belong to another study"):
        sweep(study, jobs=1)
    assert sweep(study, jobs=1, restart=True).resumed == 0
    (tmp_path / "scene.yaml").write_text(SCENE.replace("1 ms", "2 ms"))
    with pytest.raises(StudyError, match="belong to another study"):
        sweep(study, jobs=1)


def test_two_sweeps_do_not_write_into_one_folder(tmp_path):
    study = random_study(tmp_path, 4, "1000 s")
    process = subprocess.Popen(sweep_command(study, "--jobs", "1", "-q"))
    try:
        while not lines_of(tmp_path / "study.results" / "journal.jsonl"):
            time.sleep(0.02)
        found = call_sweep(study)
        assert found.returncode == 2 and "another sweep is writing here" in found.stderr
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_ctrl_c_and_closed_terminals_keep_what_is_done(tmp_path, number):
    study = random_study(tmp_path, 2000, "0.2 s")
    process = subprocess.Popen(
        sweep_command(study, "--jobs", "2"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while lines_of(tmp_path / "study.results" / "journal.jsonl") < 10:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "interrupted" in err and "cases are left" in err and "Traceback" not in err, err
    done = lines_of(tmp_path / "study.results" / "journal.jsonl") - 1
    assert len(read_csv(tmp_path / "study.results" / "results.csv")) == done < 2000


def test_ctrl_c_after_writing_cases_finds_them_in_the_table(tmp_path, monkeypatch):
    running = Sweep(write_study(tmp_path, GRID), Options(jobs=1))

    def interrupt(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "_keep", interrupt)  # what comes right after they are on the disk
        with pytest.raises(KeyboardInterrupt):
            running.run()
    written = lines_of(tmp_path / "study.results" / "journal.jsonl") - 1
    assert len(running.results().table.rows) == written > 0
    running.close()


def test_ctrl_c_after_the_last_case_does_not_speak_of_others(tmp_path, monkeypatch, capsys):
    def interrupt(*_):
        raise KeyboardInterrupt

    study = write_study(tmp_path, GRID)
    monkeypatch.setattr(Sweep, "run", lambda running, run=Sweep.run: (run(running), interrupt())[0])
    assert study_command([str(study), "-j", "1"]) == 130
    err = capsys.readouterr().err
    assert "all cases are done" in err and "are left" not in err


def test_a_list_that_nobody_reads_to_its_end_is_no_error(tmp_path, command):
    study = random_study(tmp_path, 5000)
    process = subprocess.Popen([command, "sweep", study, "--list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b"" and process.wait() == 0


def test_a_full_disk_keeps_what_is_done(tmp_path):
    study = random_study(tmp_path, 300)

    def small_disk():
        resource.setrlimit(resource.RLIMIT_FSIZE, (8000, 8000))

    found = call_sweep(study, preexec_fn=small_disk)
    assert found.returncode == 3, found.stderr
    assert "journal.jsonl: cannot be written: File too large" in found.stderr and "make room" in found.stderr
    kept = lines_of(tmp_path / "study.results" / "journal.jsonl") - 1
    assert 10 < kept < 300
    again = call_sweep(study)
    assert again.returncode == 0 and f"goes on: {kept} of 300" in again.stderr
    whole = call_sweep(study, "--output", str(tmp_path / "whole"))
    assert whole.returncode == 0
    assert (tmp_path / "study.results" / "results.csv").read_bytes() == (
        tmp_path / "whole" / "results.csv"
    ).read_bytes()


@pytest.mark.parametrize("stderr", ["2>&-", "2> /dev/full"])
def test_a_sweep_whose_terminal_is_gone_goes_on(tmp_path, stderr):
    study = write_study(tmp_path, GRID)
    done = subprocess.run(["bash", "-c", f'"$@" {stderr}', "bash", *sweep_command(study)], stdout=subprocess.PIPE, text=True)
    assert done.returncode == 0
    assert "results.csv" in done.stdout and (tmp_path / "study.results" / "report.html").exists()


def test_a_summary_that_does_not_arrive_is_an_error(tmp_path):
    study = write_study(tmp_path, GRID)
    with open("/dev/full", "w") as full:
        done = subprocess.run(sweep_command(study), stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 3 and "error: standard output cannot be written: No space left" in done.stderr
    assert "Traceback" not in done.stderr
    assert (tmp_path / "study.results" / "results.csv").exists()


def test_a_folder_that_cannot_be_written_is_an_error_of_its_own(tmp_path):
    study = write_study(tmp_path, GRID)
    (tmp_path / "file").write_text("")
    found = call_sweep(study, "--output", str(tmp_path / "file" / "out"))
    assert found.returncode == 3 and "cannot be made" in found.stderr


# ---- results --------------------------------------------------------------------------------------------------------


def test_parquet_holds_the_same_table(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="the package pyarrow is not installed")
    text = GRID.replace("outcomes:", "outcomes:\n  far: final(base.position.x) > 0.015\n  never: time_when(time < 0)\n")
    results = sweep(write_study(tmp_path, text), jobs=1)
    table = parquet.read_table(tmp_path / "study.results" / "results.parquet")
    assert table.column_names == results.table.columns
    assert [list(row.values()) for row in table.to_pylist()] == results.table.rows
    assert {type(value) for value in table["far"].to_pylist()} == {bool}


def test_the_report_is_one_file_that_loads_nothing(tmp_path):
    text = GRID.replace("scene: scene.yaml", "study: <script>alert(1)</script>\nscene: scene.yaml")
    page = sweep(write_study(tmp_path, text), jobs=1).files[-1].read_text()
    assert page.count("<svg") >= 4 and "rank correlation" in page
    assert "<script" not in page and "&lt;script&gt;" in page
    assert not re.search(r"(src|href)=|url\(|https?://", page)


def test_the_command_starts_it(tmp_path, command):
    study = write_study(tmp_path, GRID)
    help_text = subprocess.run([command, "sweep", "--help"], capture_output=True, text=True)
    assert help_text.returncode == 0 and "--restart" in help_text.stdout and "Exit codes" in help_text.stdout
    found = subprocess.run([command, "sweep", study, "-j", "2"], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    assert "8 of 8 cases" in found.stdout and "results.csv" in found.stdout
    listed = subprocess.run([command, "sweep", study, "--list"], capture_output=True, text=True).stdout.splitlines()
    assert len(listed) == 9 and listed[0] == "case,seed,ground.friction,robot.base.velocity.0"
    assert "sweep" in subprocess.run([command, "--help"], capture_output=True, text=True).stdout


def test_the_command_says_what_is_missing(tmp_path, command):
    study = write_study(tmp_path, GRID)
    found = subprocess.run(
        [command, "sweep", study], capture_output=True, text=True, env={**os.environ, "FOOTFALL_PYTHON": "/no/python"}
    )
    assert (
        found.returncode == 2
        and "Python cannot be started as '/no/python'" in found.stderr
        and "pip install footfall" in found.stderr
    )
    bare = tmp_path / "python"
    bare.write_text('#!/bin/sh\nunset PYTHONPATH\nexec /usr/bin/env python3 -I "$@"\n')
    bare.chmod(0o755)
    found = subprocess.run(
        [command, "sweep", study], capture_output=True, text=True, env={**os.environ, "FOOTFALL_PYTHON": str(bare)}
    )
    assert found.returncode == 2 and "sweep needs the Python package" in found.stderr and "hint" in found.stderr, (
        found.stderr
    )


def test_progress_is_plain_lines_where_nobody_watches(tmp_path):
    found = call_sweep(random_study(tmp_path, 100))
    assert "\r" not in found.stderr and "\x1b" not in found.stderr
    assert re.search(r"of 100 cases", found.stderr)


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_a_bar_on_a_terminal():
    out = Terminal()
    progress = Progress(total=200, done=100, quiet=False, out=out)
    progress._last -= 1.0  # its last drawing is a while ago
    progress.add(50, failed=2)
    progress.end()
    assert re.fullmatch(r"\r\x1b\[K\[#+ +\] 150 of 200 cases, \S+/s, \d+:\d\d left, 2 failed\r\x1b\[K", out.getvalue())
    bar = re.search(r"\[([# ]+)\]", out.getvalue())[1]
    assert bar.count("#") == len(bar) * 150 // 200


def test_the_examples_are_studies():
    for path in sorted((ff.data_dir() / "scenes" / "studies").glob("*.yaml")):
        assert read_study(path).case_count >= 64

"""Diagrams that are put together and run in Python: the scene that they belong to, and the files that their blocks write."""

import gc
import math
import pickle
import sys

import pytest

import footfall as ff

TEXT = "robot: {model: box, base: {position: [0, 0, 1]}}\ncontacts: [{frame: box}]\nphysics: {step: 2 ms}\n"


def wave_into(file):
    builder = ff.DiagramBuilder()
    builder.add("wave", "Sine", amplitude=2, frequency=0.5)
    builder.add("log", "Log", file=str(file))
    builder.connect("wave.out", "log.in")
    return builder.build(step=1e-3).start()


@pytest.fixture
def full_at_the_end(tmp_path):
    """A place where all rows find room: a .mat file is written when it is closed, and then the disk is full."""
    (tmp_path / "full.mat").symlink_to("/dev/full")
    return tmp_path / "full.mat"


@pytest.mark.parametrize("ending", ["csv", "mcap"])
def test_what_a_log_block_has_written_can_be_read_when_run_returns(tmp_path, ending):
    run = wave_into(tmp_path / f"wave.{ending}")
    for seconds in 0.1, 0.2:
        run.run(0.1)
        log = ff.read_log(tmp_path / f"wave.{ending}")
        assert len(log["in"]) == round(seconds * 1000)
        assert log["in"][-1] == pytest.approx(2 * math.sin(math.pi * (seconds - 1e-3)))


def test_a_file_that_cannot_be_completed_is_an_error_of_close(full_at_the_end):
    run = wave_into(full_at_the_end)
    run.run(0.1)
    with pytest.raises(ff.LogError, match="full.mat.*No space left"):
        run.close()
    with pytest.raises(ff.LogError, match="full.mat.*No space left"), wave_into(full_at_the_end) as run:
        run.run(0.1)
    run.close()  # has nothing left to fail at


def test_a_file_that_cannot_be_completed_is_told_of_a_run_that_is_forgotten(full_at_the_end, monkeypatch):
    told = []
    monkeypatch.setattr(sys, "unraisablehook", lambda what: told.append(what.exc_value))
    run = wave_into(full_at_the_end)
    run.run(0.1)
    del run
    gc.collect()
    assert len(told) == 1 and isinstance(told[0], ff.LogError) and "No space left" in str(told[0])


def test_a_full_disk_in_the_middle_is_a_log_error_that_names_the_block(tmp_path):
    (tmp_path / "full.csv").symlink_to("/dev/full")
    with pytest.raises(ff.LogError, match=r"full.csv: block 'log' \(Log\), t = .*No space left"):
        wave_into(tmp_path / "full.csv").run(0.1)


def test_a_closed_run_makes_no_more_steps_and_keeps_its_file(tmp_path):
    with wave_into(tmp_path / "wave.csv") as run:
        run.run(0.1)
    for go_on in run.step, lambda: run.run(0.1):
        with pytest.raises(ff.Error, match="it was closed"):
            go_on()
    assert len(ff.read_log(tmp_path / "wave.csv")["in"]) == 100
    assert run.signal("wave.out")[0] > 0  # what it has seen last is still there


def test_an_exception_leaves_a_run_that_is_closed(tmp_path):
    with pytest.raises(ZeroDivisionError), wave_into(tmp_path / "wave.csv") as run:
        run.run(0.1)
        1 / 0
    assert len(ff.read_log(tmp_path / "wave.csv")["in"]) == 100


def test_a_copy_does_not_write_into_the_file_of_its_original(tmp_path):
    run = wave_into(tmp_path / "wave.csv")
    run.run(0.1)
    other = run.copy()
    with pytest.raises(ff.LogError, match="another log is being written to this file"):
        other.step()
    run.run(0.1)
    run.close()
    assert len(ff.read_log(tmp_path / "wave.csv")["in"]) == 200
    run.copy().step()  # begins the file anew, as every run does


def of_scene(scene, **settings):
    builder = ff.DiagramBuilder(scene, **settings)
    builder.add("robot", "Robot")
    return builder.build()


def test_a_builder_takes_a_scene_as_simulations_do(tmp_path):
    (tmp_path / "box.yaml").write_text(TEXT)
    as_dict = {"robot": {"model": "box", "base": {"position": [0, 0, 1]}}, "contacts": [{"frame": "box"}],
               "physics": {"step": "2 ms"}}
    simulation = ff.Simulation(TEXT)
    simulation.run(0.1)
    for scene in tmp_path / "box.yaml", str(tmp_path / "box.yaml"), TEXT, as_dict:
        diagram = of_scene(scene)
        assert diagram.dt == 2e-3, "of the scene"
        for run in diagram.start(), pickle.loads(pickle.dumps(diagram)).start():
            run.run(0.1)
            assert run.state == simulation.state
    with pytest.raises(TypeError, match="a scene is a path, a text or a dict, not int"):
        ff.DiagramBuilder(3)


def test_a_builder_changes_keys_of_its_scene():
    diagram = of_scene(TEXT, set={"robot.base.position": [0, 0, 2], "physics.step": "0.5 ms"})
    for made in diagram, pickle.loads(pickle.dumps(diagram)):
        assert made.dt == 0.5e-3
        assert made.start().state.base_position[2] == 2
    with pytest.raises(ff.Error, match="no scene whose keys"):
        ff.DiagramBuilder(set={"physics.step": "0.5 ms"})


def test_a_diagram_is_loaded_from_a_text_or_a_dict():
    chain = {"blocks": {"wave": {"block": "Sine", "amplitude": 2, "frequency": 0.5}, "twice": {"block": "Gain", "factor": 2}},
             "connect": ["wave -> twice"]}
    text = "blocks: {wave: {block: Sine, amplitude: 2, frequency: 0.5}, twice: {block: Gain, factor: 2}}\nconnect: [wave -> twice]\n"
    for made in ff.Diagram.load(chain), ff.Diagram.load(text), pickle.loads(pickle.dumps(ff.Diagram.load(chain))):
        run = made.start()
        run.run(0.1)
        assert run.signal("twice.out")[0] == pytest.approx(4 * math.sin(math.pi * 0.099))
    changed = ff.Diagram.load(chain, set={"blocks.twice.factor": 3}).start()
    changed.run(0.1)
    assert changed.signal("twice.out")[0] == pytest.approx(6 * math.sin(math.pi * 0.099))
    assert ff.Diagram.load(TEXT).dt == 2e-3  # of a scene without a diagram: the default one


def test_inputs_of_a_diagram_move_prescribed_joints():
    builder = ff.DiagramBuilder({"robot": {"model": "rr_arm", "base": {"fixed": True}, "initial": {"shoulder": 0.5}},
                                 "prescribed": [{"joint": "shoulder"}]})
    builder.add("robot", "Robot")
    for name in "position", "velocity":
        builder.input(name)
        builder.connect(name, f"robot.{name}")
    run = builder.build().start()
    for k in range(100):
        end = (k + 1) * 1e-3
        run.set_input("position", [0.5 * math.cos(end)])
        run.set_input("velocity", [-0.5 * math.sin(end)])
        run.step()
    assert run.state.joint["shoulder"] == 0.5 * math.cos(0.1)
    assert run.state.joint_velocity["shoulder"] == -0.5 * math.sin(0.1)

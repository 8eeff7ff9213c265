"""Logs in numpy and pandas."""

import pickle

import numpy as np
import pytest

import footfall as ff


@pytest.mark.parametrize("name", ["run.csv", "run.mcap"])
def test_logs_come_back_bit_for_bit(tmp_path, box, name):
    positions = [box.state.base_position.copy()]
    other = ff.Simulation("scenes/falling_box.yaml")
    other.run(0.05, log=tmp_path / name)
    for _ in range(50):
        box.step()
        positions.append(box.state.base_position.copy())
    log = ff.read_log(tmp_path / name)
    assert len(log) == 51 and log.damage == ""
    assert np.array_equal(log["base.position"], positions)
    assert np.array_equal(pickle.loads(pickle.dumps(log))["base.position"], positions)
    assert log.channels["base.position"].unit == "m" and log.units["time"] == "s"


def test_contacts_are_there_one_by_one(tmp_path):
    ff.Simulation("scenes/fallen_g1.yaml").run(0.5, log=tmp_path / "run.mcap")
    log = ff.read_log(tmp_path / "run.mcap")
    points = log.entries("contact_points")
    assert len(points) == log["contact_points.count"].sum() > 0
    assert np.array_equal(points["time"], log.time[points["row"]])
    # Forces of the points add up to those of the frames: sums of some dozen numbers in another order.
    forces = np.zeros((len(log), 3))
    np.add.at(forces, points["row"], points["force"])
    ground = sum(log[name][:, :3] for name in log.channels if name.endswith(".ground_force"))
    assert np.allclose(forces[:-1], ground[:-1], atol=1e-9)
    names = log.notes["candidates"].split()
    assert names[int(points["candidate"][0])]
    with pytest.raises(ff.Error, match="contact_points"):
        log.entries("contact_point")


def test_pandas_gets_a_table_with_units(tmp_path, box):
    pytest.importorskip("pandas")
    box.run(0.02, log=tmp_path / "run.csv")
    table = ff.read_log(tmp_path / "run.csv").to_pandas()
    assert len(table) == 21 and table.index.name == "time"
    assert table["base.position.z"].iloc[-1] == box.state.base_position[2]
    assert table.attrs["units"]["base.position.z"] == "m"


def test_bad_logs_raise(tmp_path):
    with pytest.raises(ff.Error, match="no_such.mcap"):
        ff.read_log(tmp_path / "no_such.mcap")
    (tmp_path / "bad.mcap").write_bytes(b"nonsense")
    with pytest.raises(ff.Error, match="bad.mcap"):
        ff.read_log(tmp_path / "bad.mcap")
    with pytest.raises(ff.Error):
        ff.Simulation("scenes/falling_box.yaml").run(0.01, log=tmp_path / "no_folder" / "run.csv")


@pytest.mark.parametrize("name", ["run.csv", "run.mcap"])
def test_states_come_back_from_rows(tmp_path, box, name):
    other = ff.Simulation("scenes/falling_box.yaml")
    other.run(0.05, log=tmp_path / name)
    log = ff.read_log(tmp_path / name)
    for row, steps in [(0, 0), (20, 20), (-1, 50)]:
        state = log.state(row, box.model)
        assert state.time == steps * box.dt
        box.state = state
        box.run((50 - steps) * box.dt)
        assert np.array_equal(box.state.q, other.state.q), row  # it flies: nothing for the solver to remember
    for row in (51, -52):
        with pytest.raises(ff.Error, match=f"there is no row {row}, expected one of -51 to 50"):
            log.state(row, box.model)
    with pytest.raises(ff.Error):
        log.state(0, ff.Model("models/rr_arm.urdf"))

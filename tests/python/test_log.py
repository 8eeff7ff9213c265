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

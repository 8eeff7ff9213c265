"""SciPy, and so MATLAB and Octave, open .mat logs: structs named as the buses."""

import numpy
import pytest
from scipy.io import loadmat

from conftest import Table


@pytest.fixture(scope="session")
def mat(icub):
    return loadmat(icub / "run.mat", squeeze_me=False, struct_as_record=False)


def test_buses_are_structs_with_the_same_bits(icub, mat):
    table = Table(icub / "run.csv")
    state, contacts = mat["state"][0, 0], mat["contacts"][0, 0]
    assert state.time.shape == (501, 1)
    numpy.testing.assert_array_equal(state.time[:, 0], table.columns["time [s]"])
    position = state.base[0, 0].position
    assert position.shape == (501, 3)
    numpy.testing.assert_array_equal(position[:, 2], table.columns["base.position.z [m]"])
    knee = state.l_knee[0, 0].velocity[:, 0]
    numpy.testing.assert_array_equal(knee, table.columns["l_knee.velocity [rad/s]"])
    force = contacts.l_sole[0, 0].force
    numpy.testing.assert_array_equal(force[:, 0], table.columns["l_sole.force.x [N]"])
    corner = contacts.l_sole_2[0, 0].force
    numpy.testing.assert_array_equal(corner[:, 2], table.columns["l_sole[2].force.z [N]"])


def test_entries_of_a_list_say_which_row_they_belong_to(icub, mat):
    table = Table(icub / "run.csv")
    points = mat["contact_points"][0, 0]
    rows = points.row[:, 0].astype(int) - 1
    assert len(rows) == sum(table.columns["contact_points.count [-]"]) == len(points.force)
    carried = numpy.bincount(rows, points.force[:, 2], minlength=501)
    soles = numpy.array(table.columns["l_sole.ground_force.z [N]"]) + table.columns["r_sole.ground_force.z [N]"]
    numpy.testing.assert_allclose(carried[:-1], soles[:-1], rtol=1e-12)  # sums of eight numbers in another order


def test_units_and_notes_are_there(mat):
    units = mat["units"][0, 0]
    assert units.state[0, 0].l_knee[0, 0].velocity[0] == "rad/s"
    assert units.contacts[0, 0].l_sole[0, 0].force[0] == "N"
    assert mat["notes"][0, 0].robot[0] == "iCub"


def test_a_converted_log_is_the_same(icub, mat):
    from conftest import footfall

    footfall("convert", "run.mcap", "converted.mat", cwd=icub)
    footfall("convert", "run.mcap", "converted.csv", cwd=icub)
    converted = loadmat(icub / "converted.mat", squeeze_me=False, struct_as_record=False)
    numpy.testing.assert_array_equal(converted["state"][0, 0].l_knee[0, 0].position,
                                     mat["state"][0, 0].l_knee[0, 0].position)
    numpy.testing.assert_array_equal(converted["contact_points"][0, 0].force, mat["contact_points"][0, 0].force)
    numpy.testing.assert_array_equal(converted["contact_points"][0, 0].row, mat["contact_points"][0, 0].row)
    assert {name for name in converted if not name.startswith("_")} == {name for name in mat if not name.startswith("_")}
    first, second = Table(icub / "run.csv").columns, Table(icub / "converted.csv").columns
    assert first.keys() == second.keys()
    for name in first:
        numpy.testing.assert_array_equal(first[name], second[name], err_msg=name)

"""The official MCAP reader finds everything that footfall wrote, to the bit."""

import csv
import math
import re

import pytest
from mcap.reader import make_reader
from mcap_protobuf.decoder import DecoderFactory


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


def parse(description):
    """'N (x, y, z)' → 'N', ['x', 'y', 'z']"""
    unit, _, components = description.partition(" (")
    return unit, components[:-1].split(", ") if components else []


def identifier(part):
    return re.sub(r"\W", "_", part, flags=re.ASCII).rstrip("_")


def value(message, column):
    for part in column.split("."):
        message = getattr(message, identifier(part))
    return message


def buses(reader):
    return {channel.topic: channel for channel in reader.get_summary().channels.values() if channel.metadata}


def columns_of(channel):
    """Columns of a topic with their units."""
    for name, description in channel.metadata.items():
        unit, components = parse(description)
        for column in [f"{name}.{component}" for component in components] or [name]:
            yield column, unit


def test_all_channels_and_units_are_there(reader, table):
    found = {f"{column} [{unit}]" for channel in buses(reader).values() for column, unit in columns_of(channel)}
    assert found == set(table.columns)
    assert {"/state", "/torques", "/contacts", "/balance", "/solver", "/sensors"} <= set(buses(reader))


def test_every_number_of_every_row_has_the_same_bits(reader, table):
    rows = {topic: 0 for topic in buses(reader)}
    columns = {topic: list(columns_of(channel)) for topic, channel in buses(reader).items()}
    for _, channel, message, decoded in reader.iter_decoded_messages(topics=list(rows)):
        row = rows[channel.topic]
        assert message.sequence == row
        assert message.log_time == round(table.columns["time [s]"][row] * 1e9)
        for column, unit in columns[channel.topic]:
            expected, got = table.columns[f"{column} [{unit}]"][row], value(decoded, column)
            assert got == expected or (math.isnan(got) and math.isnan(expected)), (column, row)
        rows[channel.topic] += 1
    assert set(rows.values()) == {501}


def test_the_log_contains_what_the_run_was_made_from(reader):
    notes = {m.name: m.metadata for m in reader.iter_metadata()}["footfall"]
    assert notes["seed"] == "7" and notes["set run.seed"] == "7"
    assert notes["footfall"] and notes["revision"] and notes["robot"] == "iCub"
    files = {a.name: a for a in reader.iter_attachments()}
    assert b"<robot" in files["model.urdf"].data
    assert b"sensors:" in files["scene.yaml"].data
    meshes = re.findall(rb'<mesh[^>]*filename="([^"]+)"', files["model.urdf"].data)
    assert meshes and {mesh.decode() for mesh in meshes} <= set(files)
    assert all(len(files[mesh.decode()].data) > 84 for mesh in meshes), "more than the head of an STL file"


def test_foxglove_finds_its_own_schemas(reader, table):
    poses, arrows, models = [], [], 0
    for schema, channel, message, decoded in reader.iter_decoded_messages(topics=["/tf", "/scene"]):
        if channel.topic == "/tf":
            assert schema.name == "foxglove.FrameTransforms"
            poses.append(decoded)
        else:
            assert schema.name == "foxglove.SceneUpdate"
            models += sum(len(entity.models) for entity in decoded.entities)
            arrows += [(message.log_time, entity) for entity in decoded.entities if entity.id == "contact forces"]
    assert models > 20
    assert 29 <= len(poses) <= 32, "60 Hz for half a second"
    base = {t.child_frame_id: t for t in poses[0].transforms}["root_link"]
    assert base.parent_frame_id == "world"
    assert base.translation.z == pytest.approx(table.columns["base.position.z [m]"][0], abs=1e-12)
    # Arrows are a metre long for the robot's weight, and it stands: together they point up by one metre.
    time, last = arrows[-1]
    row = round(time / 1e6)
    force = sum(table.columns[f"{sole}.force.z [N]"][row] for sole in ("l_sole", "r_sole"))
    length = sum(a.shaft_length + a.head_length for a in last.arrows)
    assert len(last.arrows) >= 4 and length == pytest.approx(1.0, abs=0.1) and force > 300.0


def test_our_schemas_of_foxglove_are_those_of_foxglove(reader):
    """Field by field, against the descriptors that Foxglove publishes."""
    published = pytest.importorskip("foxglove_schemas_protobuf.SceneUpdate_pb2")
    from google.protobuf.descriptor_pb2 import FileDescriptorSet

    def fields(message):
        return {(f.name, f.number, f.type, f.label, f.type_name) for f in message.field}

    schemas = {schema.name: schema for schema in reader.get_summary().schemas.values()}
    ours = {m.name: m for file in FileDescriptorSet.FromString(schemas["foxglove.SceneUpdate"].data).file
            for m in file.message_type}
    todo, seen = [published.SceneUpdate.DESCRIPTOR], set()
    while todo:
        descriptor = todo.pop()
        if descriptor.full_name in seen or not descriptor.full_name.startswith("foxglove."):
            continue
        seen.add(descriptor.full_name)
        theirs = type(ours[descriptor.name])()
        descriptor.CopyToProto(theirs)
        assert fields(ours[descriptor.name]) == fields(theirs), descriptor.name
        todo += [f.message_type for f in descriptor.fields if f.message_type]
    assert len(seen) > 12

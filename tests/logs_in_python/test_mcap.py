"""The official MCAP reader finds everything that footfall wrote, to the bit."""

import math
import re


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
    return {channel.topic: channel for channel in reader.get_summary().channels.values()
            if channel.metadata and "@list" not in channel.metadata}


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


def test_a_list_is_a_topic_with_a_message_for_each_entry(reader, table):
    entries = {}
    for _, _, message, contact in reader.iter_decoded_messages(topics=["/contact_points"]):
        entries.setdefault(message.sequence, []).append(contact)
    counts = table.columns["contact_points.count [-]"]
    assert [len(entries.get(row, [])) for row in range(501)] == counts and max(counts) == 8
    for row, contacts in entries.items():
        for contact in contacts:  # four points of each sole, in the order of the scene
            name = ["l_sole", "r_sole"][int(contact.candidate) // 4] + f"[{int(contact.candidate) % 4}]"
            assert contact.force_C.z == table.columns[f"{name}.force.z [N]"][row]


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

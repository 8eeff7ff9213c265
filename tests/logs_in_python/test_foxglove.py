"""Foxglove can draw what footfall wrote: every message against the schemas that Foxglove publishes, every pose against
forward kinematics that are made here from the URDF inside of the log."""

import xml.etree.ElementTree as ElementTree

import numpy
import pytest
from foxglove_schemas_protobuf.FrameTransforms_pb2 import FrameTransforms
from foxglove_schemas_protobuf.SceneUpdate_pb2 import SceneUpdate
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.unknown_fields import UnknownFieldSet

PUBLISHED = {"foxglove.FrameTransforms": FrameTransforms, "foxglove.SceneUpdate": SceneUpdate}
SOLIDS = ("cubes", "spheres", "cylinders", "models")


def foxglove_messages(reader):
    """(log time [ns], message), parsed by the classes that Foxglove publishes."""
    for schema, _, message in reader.iter_messages(topics=["/tf", "/scene"]):
        yield message.log_time, PUBLISHED[schema.name].FromString(message.data)


def pictures(reader):
    return [(time, message) for time, message in foxglove_messages(reader) if isinstance(message, FrameTransforms)]


def entities(reader):
    return [(time, entity) for time, message in foxglove_messages(reader) if isinstance(message, SceneUpdate)
            for entity in message.entities]


# --- rotations and poses, as 4 × 4 matrices ---------------------------------------------------------------------------

def rotation(x, y, z, w):
    return numpy.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def about(axis, angle):
    s = numpy.sin(0.5 * angle) * numpy.asarray(axis) / numpy.linalg.norm(axis)
    return rotation(*s, numpy.cos(0.5 * angle))


def pose(R, p):
    X = numpy.eye(4)
    X[:3, :3], X[:3, 3] = R, p
    return X


def pose_of(position, orientation):
    q = [orientation.x, orientation.y, orientation.z, orientation.w]
    assert numpy.linalg.norm(q) == pytest.approx(1.0, abs=1e-12)
    return pose(rotation(*q), [position.x, position.y, position.z])


def origin(element):
    """<origin xyz= rpy=> of a part of a URDF."""
    found = element.find("origin")
    numbers = {} if found is None else found.attrib
    x, y, z = map(float, numbers.get("xyz", "0 0 0").split())
    roll, pitch, yaw = map(float, numbers.get("rpy", "0 0 0").split())
    return pose(about([0, 0, 1], yaw) @ about([0, 1, 0], pitch) @ about([1, 0, 0], roll), [x, y, z])


class Robot:
    """Where the URDF of the log puts links and their visuals; joints that the run does not know are locked at zero."""

    def __init__(self, reader):
        urdf = next(a.data for a in reader.iter_attachments() if a.name == "model.urdf")
        root = ElementTree.fromstring(urdf)
        self.joints = root.findall("joint")
        self.visuals = {link.get("name"): [origin(v) for v in link.findall("visual")] for link in root.findall("link")}

    def place(self, base, X_WB, positions):
        X, todo = {base: X_WB}, list(self.joints)
        while todo:
            known = [joint for joint in todo if joint.find("parent").get("link") in X]
            for joint in known:
                todo.remove(joint)
                move = numpy.eye(4)
                if joint.get("type") in ("revolute", "continuous"):
                    axis = [float(a) for a in joint.find("axis").get("xyz").split()]
                    move = pose(about(axis, positions.get(joint.get("name"), 0.0)), [0, 0, 0])
                X[joint.find("child").get("link")] = X[joint.find("parent").get("link")] @ origin(joint) @ move
            assert known, "the links that are left hang on none that is known"
        return X


def row_at(table, time):
    return [round(1e9 * t) for t in table.columns["time [s]"]].index(time)


def place_at(robot, table, time):
    """Links of the robot at a row of the log."""
    row = row_at(table, time)
    value = {name: column[row] for name, column in table.columns.items()}
    X_WB = pose(rotation(*(value[f"base.quaternion.{c} [-]"] for c in "xyzw")),
                [value[f"base.position.{c} [m]"] for c in "xyz"])
    positions = {name.removesuffix(".position [rad]"): v for name, v in value.items() if name.endswith(".position [rad]")}
    return robot.place("root_link", X_WB, positions)


# --- the tests --------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", PUBLISHED)
def test_our_schemas_are_those_of_foxglove(reader, name):
    """Field by field, against the descriptors that Foxglove publishes."""
    def fields(message):
        return {(f.name, f.number, f.type, f.label, f.type_name) for f in message.field}

    schemas = {schema.name: schema for schema in reader.get_summary().schemas.values()}
    ours = {m.name: m for file in FileDescriptorSet.FromString(schemas[name].data).file for m in file.message_type}
    todo, seen = [PUBLISHED[name].DESCRIPTOR], set()
    while todo:
        descriptor = todo.pop()
        if descriptor.full_name in seen or not descriptor.full_name.startswith("foxglove."):
            continue
        seen.add(descriptor.full_name)
        theirs = type(ours[descriptor.name])()
        descriptor.CopyToProto(theirs)
        assert fields(ours[descriptor.name]) == fields(theirs), descriptor.name
        todo += [f.message_type for f in descriptor.fields if f.message_type]
    assert len(seen) > (12 if name.endswith("SceneUpdate") else 3)


def test_every_message_is_one_that_foxglove_knows(reader):
    def unknown(message):
        """Numbers of fields that the published schemas do not have."""
        for field in UnknownFieldSet(message):
            yield field.field_number
        for descriptor, value in message.ListFields():
            if descriptor.message_type is not None:
                for part in value if descriptor.is_repeated else [value]:
                    yield from unknown(part)

    seen = set()
    for time, message in foxglove_messages(reader):
        assert message.IsInitialized() and not list(unknown(message))
        for part in message.transforms if isinstance(message, FrameTransforms) else message.entities:
            assert part.timestamp.ToNanoseconds() == time
        seen.add(type(message))
    assert seen == set(PUBLISHED.values())


def test_frames_form_a_tree_that_hangs_on_the_world(reader):
    frames = None
    for _, picture in pictures(reader):
        parents = {t.child_frame_id: t.parent_frame_id for t in picture.transforms}
        assert len(parents) == len(picture.transforms), "each frame has one parent"
        assert "world" not in parents and all(parents) and set(parents.values()) <= {"world", *parents}
        for frame in parents:
            path = [frame]
            while path[-1] != "world":
                path.append(parents[path[-1]])
                assert len(path) <= len(parents) + 1, f"{frame} hangs on itself"
        assert frames in (None, set(parents)), "all pictures have the same frames"
        frames = set(parents)
    assert len(frames) == 24
    assert {entity.frame_id for _, entity in entities(reader)} <= {"world", *frames}


def test_links_are_where_forward_kinematics_put_them(reader, table):
    robot, shown = Robot(reader), pictures(reader)
    assert 29 <= len(shown) <= 32, "60 Hz for half a second"
    for time, picture in shown:
        X = place_at(robot, table, time)
        for t in picture.transforms:
            numpy.testing.assert_allclose(pose_of(t.translation, t.rotation), X[t.child_frame_id], rtol=0, atol=1e-12)


def test_meshes_are_where_the_urdf_puts_them(reader, table):
    """In the first picture, seen from the world: those of links that the model has lumped together included."""
    robot = Robot(reader)
    time, first = pictures(reader)[0]
    frames = {t.child_frame_id: pose_of(t.translation, t.rotation) for t in first.transforms}
    X = place_at(robot, table, time)
    expected = [X[link] @ visual for link, visuals in robot.visuals.items() for visual in visuals]
    drawn = []
    for _, entity in entities(reader):
        for kind in SOLIDS:
            drawn += [frames[entity.frame_id] @ pose_of(s.pose.position, s.pose.orientation)
                      for s in getattr(entity, kind)]
        for model in entity.models:
            assert model.media_type == "model/stl" and len(model.data) > 84, "more than the head of an STL file"
    assert len(drawn) == len(expected) > 20
    for place in expected:
        assert min(numpy.abs(place - d).max() for d in drawn) < 1e-12
    ids = [entity.id for _, entity in entities(reader) if entity.id != "contact forces"]
    assert len(set(ids)) == len(ids), "an entity replaces another of the same name"


def test_arrows_are_the_contact_forces(reader, table):
    """A metre for the robot's weight: together they point up as far as the soles carry it."""
    arrows = [(time, entity) for time, entity in entities(reader) if entity.id == "contact forces"]
    times = [time for time, _ in pictures(reader)]
    assert [time for time, _ in arrows] == times[:-1], "no step follows the last row, and so it has no forces"
    assert all(entity.frame_id == "world" for _, entity in arrows)
    for time, entity in arrows:
        row = row_at(table, time)
        force = sum(table.columns[f"{sole}.force.z [N]"][row] for sole in ("l_sole", "r_sole"))
        up = sum((a.shaft_length + a.head_length) * pose_of(a.pose.position, a.pose.orientation)[2, 0] for a in entity.arrows)
        assert force == pytest.approx(up * weight(table), rel=1e-3)


def weight(table):
    """From the potential energy of a robot whose centre of mass is at a known height [N]."""
    return table.columns["energy.potential [J]"][0] / table.columns["com.position.z [m]"][0]

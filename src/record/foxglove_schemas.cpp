#include "record/foxglove_schemas.hpp"

#include <utility>
#include <vector>

#include "footfall/log/internal/protobuf.hpp"

namespace footfall::record {
namespace {

using protobuf::Field;
using protobuf::Message;
using protobuf::Type;

Field number(const char* name, int id) { return {name, id}; }
Field text(const char* name, int id) { return {name, id, Type::text}; }
Field flag(const char* name, int id) { return {name, id, Type::bool_}; }
Field bytes(const char* name, int id) { return {name, id, Type::bytes}; }
Field one(const char* name, int id, const char* type) { return {name, id, Type::message, type}; }
Field many(const char* name, int id, const char* type) { return {name, id, Type::message, type, true}; }
Field indices(int id) { return {"indices", id, Type::fixed32, "", true}; }
Field choice(const char* name, int id, const char* type) { return {name, id, Type::enumeration, type}; }

constexpr const char* kTimestamp = ".google.protobuf.Timestamp";
constexpr const char* kDuration = ".google.protobuf.Duration";
constexpr const char* kVector = ".foxglove.Vector3";
constexpr const char* kPoint = ".foxglove.Point3";
constexpr const char* kQuaternion = ".foxglove.Quaternion";
constexpr const char* kPose = ".foxglove.Pose";
constexpr const char* kColor = ".foxglove.Color";

protobuf::File timeFile(const std::string& file, const std::string& message) {
  return {"google/protobuf/" + file,
          "google.protobuf",
          {{message, {{"seconds", 1, Type::int64}, {"nanos", 2, Type::int32}}}}};
}

std::vector<Message> basics() {
  return {{"Vector3", {number("x", 1), number("y", 2), number("z", 3)}},
          {"Point3", {number("x", 1), number("y", 2), number("z", 3)}},
          {"Quaternion", {number("x", 1), number("y", 2), number("z", 3), number("w", 4)}},
          {"Pose", {one("position", 1, kVector), one("orientation", 2, kQuaternion)}},
          {"Color", {number("r", 1), number("g", 2), number("b", 3), number("a", 4)}}};
}

std::vector<Message> solids() {
  return {{"ArrowPrimitive",
           {one("pose", 1, kPose), number("shaft_length", 2), number("shaft_diameter", 3), number("head_length", 4),
            number("head_diameter", 5), one("color", 6, kColor)}},
          {"CubePrimitive", {one("pose", 1, kPose), one("size", 2, kVector), one("color", 3, kColor)}},
          {"SpherePrimitive", {one("pose", 1, kPose), one("size", 2, kVector), one("color", 3, kColor)}},
          {"CylinderPrimitive",
           {one("pose", 1, kPose), one("size", 2, kVector), number("bottom_scale", 3), number("top_scale", 4),
            one("color", 5, kColor)}},
          {"ModelPrimitive",
           {one("pose", 1, kPose), one("scale", 2, kVector), one("color", 3, kColor), flag("override_color", 4),
            text("url", 5), text("media_type", 6), bytes("data", 7)}}};
}

std::vector<Message> drawings() {
  return {{"LinePrimitive",
           {choice("type", 1, ".foxglove.LinePrimitive.Type"), one("pose", 2, kPose), number("thickness", 3),
            flag("scale_invariant", 4), many("points", 5, kPoint), one("color", 6, kColor), many("colors", 7, kColor),
            indices(8)},
           {},
           {{"Type", {{"LINE_STRIP", 0}, {"LINE_LOOP", 1}, {"LINE_LIST", 2}}}}},
          {"TriangleListPrimitive",
           {one("pose", 1, kPose), many("points", 2, kPoint), one("color", 3, kColor), many("colors", 4, kColor),
            indices(5)}},
          {"TextPrimitive",
           {one("pose", 1, kPose), flag("billboard", 2), number("font_size", 3), flag("scale_invariant", 4),
            one("color", 5, kColor), text("text", 6)}},
          {"KeyValuePair", {text("key", 1), text("value", 2)}}};
}

std::vector<Message> sceneMessages() {
  return {{"SceneEntityDeletion",
           {one("timestamp", 1, kTimestamp), choice("type", 2, ".foxglove.SceneEntityDeletion.Type"), text("id", 3)},
           {},
           {{"Type", {{"MATCHING_ID", 0}, {"ALL", 1}}}}},
          {"SceneEntity",
           {one("timestamp", 1, kTimestamp), text("frame_id", 2), text("id", 3), one("lifetime", 4, kDuration),
            flag("frame_locked", 5), many("metadata", 6, ".foxglove.KeyValuePair"),
            many("arrows", 7, ".foxglove.ArrowPrimitive"), many("cubes", 8, ".foxglove.CubePrimitive"),
            many("spheres", 9, ".foxglove.SpherePrimitive"), many("cylinders", 10, ".foxglove.CylinderPrimitive"),
            many("lines", 11, ".foxglove.LinePrimitive"), many("triangles", 12, ".foxglove.TriangleListPrimitive"),
            many("texts", 13, ".foxglove.TextPrimitive"), many("models", 14, ".foxglove.ModelPrimitive")}},
          {"SceneUpdate",
           {many("deletions", 1, ".foxglove.SceneEntityDeletion"), many("entities", 2, ".foxglove.SceneEntity")}}};
}

std::vector<Message> transformMessages() {
  return {{"FrameTransform",
           {one("timestamp", 1, kTimestamp), text("parent_frame_id", 2), text("child_frame_id", 3),
            one("translation", 4, kVector), one("rotation", 5, kQuaternion)}},
          {"FrameTransforms", {many("transforms", 1, ".foxglove.FrameTransform")}}};
}

/// All messages in one file: only their names matter to readers.
MessageSink::Topic topic(const std::string& name, const std::string& schema,
                         const std::vector<std::vector<Message>>& parts) {
  const protobuf::File timestamp = timeFile("timestamp.proto", "Timestamp");
  const protobuf::File duration = timeFile("duration.proto", "Duration");
  protobuf::File file{"foxglove/" + schema + ".proto", "foxglove", {}, {timestamp.name, duration.name}};
  for (const std::vector<Message>& part : parts) file.messages.insert(file.messages.end(), part.begin(), part.end());
  return {name, "foxglove." + schema, "protobuf", protobuf::descriptorSet({timestamp, duration, file}), "protobuf"};
}

}  // namespace

MessageSink::Topic frameTransformsTopic(const std::string& name) {
  return topic(name, "FrameTransforms", {basics(), transformMessages()});
}

MessageSink::Topic sceneUpdateTopic(const std::string& name) {
  return topic(name, "SceneUpdate", {basics(), solids(), drawings(), sceneMessages()});
}

}  // namespace footfall::record

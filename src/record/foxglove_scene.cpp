#include "record/foxglove_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "log/protobuf.hpp"
#include "model_io/read_text.hpp"
#include "record/foxglove_schemas.hpp"
#include "record/run_files.hpp"

namespace footfall::record {
namespace {

using protobuf::appendBytes;
using protobuf::appendDouble;
using protobuf::appendInteger;

constexpr const char* kWorld = "world";
const Eigen::Vector4d kGrey(0.7, 0.7, 0.72, 1.0), kForceColor(0.9, 0.3, 0.1, 1.0);

std::string numbers(std::initializer_list<double> values) {
  std::string out;
  int field = 0;
  for (const double value : values) appendDouble(out, ++field, value);
  return out;
}

std::string vectorMessage(const Vector3d& v) { return numbers({v.x(), v.y(), v.z()}); }
std::string colorMessage(const Eigen::Vector4d& c) { return numbers({c[0], c[1], c[2], c[3]}); }
std::string rotationMessage(const Matrix3d& R) {
  const Eigen::Quaterniond q(R);
  return numbers({q.x(), q.y(), q.z(), q.w()});
}

std::string poseMessage(const Pose& pose) {
  std::string out;
  appendBytes(out, 1, vectorMessage(pose.p));
  appendBytes(out, 2, rotationMessage(pose.R));
  return out;
}

std::string timeMessage(double seconds) {
  const auto nanoseconds = static_cast<std::uint64_t>(std::llround(std::max(0.0, seconds) * 1e9));
  std::string out;
  appendInteger(out, 1, nanoseconds / 1'000'000'000);
  appendInteger(out, 2, nanoseconds % 1'000'000'000);
  return out;
}

/// Start of a SceneEntity.
void beginEntity(std::string& out, double time, const std::string& frame, const std::string& id) {
  out.clear();
  appendBytes(out, 1, timeMessage(time));
  appendBytes(out, 2, frame);
  appendBytes(out, 3, id);
  appendInteger(out, 5, 1);  // it moves with its frame
}

/// A cube, a sphere or a cylinder, which differ in the number of their colour.
std::string solid(const Pose& pose, const Vector3d& size, const Eigen::Vector4d& color, bool cylinder) {
  std::string out;
  appendBytes(out, 1, poseMessage(pose));
  appendBytes(out, 2, vectorMessage(size));
  if (cylinder) {
    appendDouble(out, 3, 1.0);
    appendDouble(out, 4, 1.0);
  }
  appendBytes(out, cylinder ? 5 : 3, colorMessage(color));
  return out;
}

std::string modelPrimitive(const LinkGeometry& geometry, const Pose& pose, const Eigen::Vector4d& color) {
  std::string out;
  const std::string type = mediaType(geometry.mesh_path);
  appendBytes(out, 1, poseMessage(pose));
  appendBytes(out, 2, vectorMessage(geometry.mesh_scale));
  appendBytes(out, 3, colorMessage(color));
  appendInteger(out, 4, type == "model/stl" || geometry.color.has_value());  // an STL file has no colour of its own
  appendBytes(out, 6, type);
  appendBytes(out, 7, readText(geometry.mesh_path));
  return out;
}

/// Adds the shape to an entity; false when there is nothing to draw.
bool addShape(std::string& entity, const LinkGeometry& geometry, const Pose& X_LS) {
  const Eigen::Vector4d color = geometry.color.value_or(kGrey);
  const double diameter = 2.0 * geometry.radius;
  if (geometry.shape == "box") {
    appendBytes(entity, 8, solid(X_LS, geometry.size, color, false));
  } else if (geometry.shape == "sphere") {
    appendBytes(entity, 9, solid(X_LS, Vector3d::Constant(diameter), color, false));
  } else if (geometry.shape == "cylinder" || geometry.shape == "capsule") {
    appendBytes(entity, 10, solid(X_LS, {diameter, diameter, geometry.length}, color, true));
  } else if (!geometry.mesh_path.empty()) {
    appendBytes(entity, 14, modelPrimitive(geometry, X_LS, color));
  } else {
    return false;
  }
  if (geometry.shape != "capsule") return true;
  for (const double end : {-0.5, 0.5}) {
    const Pose cap = X_LS * Pose{Matrix3d::Identity(), Vector3d(0.0, 0.0, end * geometry.length)};
    appendBytes(entity, 9, solid(cap, Vector3d::Constant(diameter), color, false));
  }
  return true;
}

/// From the contact point along the force; arrows point along their x axis.
std::string arrow(const ContactReport& contact, double metres_per_newton) {
  const double length = contact.force_W.norm() * metres_per_newton;
  const Matrix3d R = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitX(), contact.force_W).toRotationMatrix();
  constexpr double kShaft = 0.01, kHead = 0.025;  // diameters [m]
  const double head = std::min(0.04, 0.3 * length);
  std::string out;
  appendBytes(out, 1, poseMessage({R, contact.p_WC}));
  appendDouble(out, 2, length - head);
  appendDouble(out, 3, kShaft);
  appendDouble(out, 4, head);
  appendDouble(out, 5, kHead);
  appendBytes(out, 6, colorMessage(kForceColor));
  return out;
}

}  // namespace

FoxgloveScene::FoxgloveScene(MessageSink& sink, const Model& model, double rate)
    : sink_(sink),
      model_(model),
      period_(1.0 / rate),
      weight_(std::max(1e-9, model.totalMass() * std::max(1.0, model.gravity.norm()))),
      poses_topic_(sink.addTopic(frameTransformsTopic("/tf"))),
      scene_topic_(sink.addTopic(sceneUpdateTopic("/scene"))) {}

void FoxgloveScene::writeShapes(const std::vector<LinkGeometry>& geometries, double time, bool with_meshes) {
  int count = 0;
  for (const LinkGeometry& geometry : geometries) {
    if (geometry.collision || (geometry.shape == "mesh" && !with_meshes)) continue;
    const Frame& frame = model_.frames[model_.frame(geometry.link)];
    beginEntity(entity_, time, model_.links[frame.link].name, fmt::format("{}/{}", geometry.link, count++));
    if (!addShape(entity_, geometry, frame.X_LF * geometry.X_FS)) continue;
    message_.clear();
    appendBytes(message_, 2, entity_);
    sink_.writeMessage(scene_topic_, time, message_);
  }
}

void FoxgloveScene::writePoses(const Dynamics& dynamics, double time) {
  // Half a nanosecond of patience: rows at 60 Hz must not miss every second picture by the rounding of the clock.
  if (started_ && time < next_ - 5e-10) return;
  next_ = started_ ? next_ + period_ : time + period_;
  if (next_ <= time) next_ = time + period_;
  started_ = has_picture_ = true;
  picture_ = time;
  message_.clear();
  for (int i = 0; i < static_cast<int>(model_.links.size()); ++i) {
    const LinkIndex link(i);
    const Pose X_WL = dynamics.linkPose(link);
    part_.clear();
    appendBytes(part_, 1, timeMessage(time));
    appendBytes(part_, 2, kWorld);
    appendBytes(part_, 3, model_.links[link].name);
    appendBytes(part_, 4, vectorMessage(X_WL.p));
    appendBytes(part_, 5, rotationMessage(X_WL.R));
    appendBytes(message_, 1, part_);
  }
  sink_.writeMessage(poses_topic_, time, message_);
}

void FoxgloveScene::writeForces(const StepResult& result) {
  if (!has_picture_) return;
  has_picture_ = false;
  beginEntity(entity_, picture_, kWorld, "contact forces");
  for (const ContactReport& contact : result.contacts)
    if (contact.force_W.squaredNorm() > 0.0) appendBytes(entity_, 7, arrow(contact, 1.0 / weight_));
  message_.clear();
  appendBytes(message_, 2, entity_);
  sink_.writeMessage(scene_topic_, picture_, message_);
}

}  // namespace footfall::record

#include "record/foxglove_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "footfall/base/internal/read_text.hpp"
#include "footfall/log/internal/protobuf.hpp"
#include "record/foxglove_schemas.hpp"
#include "record/run_files.hpp"

namespace footfall::record {
namespace {

using protobuf::appendBytes;
using protobuf::appendDouble;
using protobuf::appendInteger;
using protobuf::appendMessage;

const std::string kWorld = "world";
const Eigen::Vector4d kGrey(0.7, 0.7, 0.72, 1.0), kForceColor(0.9, 0.3, 0.1, 1.0);

// Each appends one field. Messages are made in their place, in memory that the next picture uses again.

void appendNumbers(std::string& out, int field, std::initializer_list<double> values) {
  appendMessage(out, field, [&] {
    int number = 0;
    for (const double value : values) appendDouble(out, ++number, value);
  });
}

void appendVector(std::string& out, int field, const Vector3d& v) { appendNumbers(out, field, {v.x(), v.y(), v.z()}); }

void appendColor(std::string& out, int field, const Eigen::Vector4d& c) {
  appendNumbers(out, field, {c[0], c[1], c[2], c[3]});
}

void appendRotation(std::string& out, int field, const Matrix3d& R) {
  const Eigen::Quaterniond q(R);
  appendNumbers(out, field, {q.x(), q.y(), q.z(), q.w()});
}

void appendPose(std::string& out, int field, const Pose& pose) {
  appendMessage(out, field, [&] {
    appendVector(out, 1, pose.p);
    appendRotation(out, 2, pose.R);
  });
}

void appendTime(std::string& out, int field, double seconds) {
  const auto nanoseconds = static_cast<std::uint64_t>(std::llround(std::max(0.0, seconds) * 1e9));
  appendMessage(out, field, [&] {
    appendInteger(out, 1, nanoseconds / 1'000'000'000);
    appendInteger(out, 2, nanoseconds % 1'000'000'000);
  });
}

/// The fields that every SceneEntity has.
void appendEntityHead(std::string& out, double time, const std::string& frame, std::string_view id) {
  appendTime(out, 1, time);
  appendBytes(out, 2, frame);
  appendBytes(out, 3, id);
  appendInteger(out, 5, 1);  // it moves with its frame
}

/// A cube, a sphere or a cylinder, which differ in the number of their colour.
void appendSolid(std::string& out, int field, const Pose& pose, const Vector3d& size, const Eigen::Vector4d& color,
                 bool cylinder = false) {
  appendMessage(out, field, [&] {
    appendPose(out, 1, pose);
    appendVector(out, 2, size);
    if (cylinder) {
      appendDouble(out, 3, 1.0);
      appendDouble(out, 4, 1.0);
    }
    appendColor(out, cylinder ? 5 : 3, color);
  });
}

void appendModel(std::string& out, int field, const LinkGeometry& geometry, const Pose& pose,
                 const Eigen::Vector4d& color) {
  const std::string type = mediaType(geometry.mesh_path);
  appendMessage(out, field, [&] {
    appendPose(out, 1, pose);
    appendVector(out, 2, geometry.mesh_scale);
    appendColor(out, 3, color);
    appendInteger(out, 4, type == "model/stl" || geometry.color.has_value());  // an STL file has no colour of its own
    appendBytes(out, 6, type);
    appendBytes(out, 7, readText(geometry.mesh_path));
  });
}

bool canBeDrawn(const LinkGeometry& geometry) {
  constexpr std::array kSolids = {"box", "sphere", "cylinder", "capsule"};
  return !geometry.mesh_path.empty() || std::find(kSolids.begin(), kSolids.end(), geometry.shape) != kSolids.end();
}

/// Adds the shape to an entity.
void appendShape(std::string& entity, const LinkGeometry& geometry, const Pose& X_LS) {
  const Eigen::Vector4d color = geometry.color.value_or(kGrey);
  const double diameter = 2.0 * geometry.radius;
  const auto appendSphere = [&](const Pose& pose) {
    appendSolid(entity, 9, pose, Vector3d::Constant(diameter), color);
  };
  if (geometry.shape == "box") return appendSolid(entity, 8, X_LS, geometry.size, color);
  if (geometry.shape == "sphere") return appendSphere(X_LS);
  if (geometry.shape != "cylinder" && geometry.shape != "capsule")
    return appendModel(entity, 14, geometry, X_LS, color);
  appendSolid(entity, 10, X_LS, {diameter, diameter, geometry.length}, color, true);
  if (geometry.shape == "cylinder") return;
  for (const double end : {-0.5, 0.5})
    appendSphere(X_LS * Pose{Matrix3d::Identity(), Vector3d(0.0, 0.0, end * geometry.length)});
}

/// From the contact point along the force; arrows point along their x axis.
void appendArrow(std::string& out, int field, const ContactReport& contact, double metres_per_newton) {
  const double length = contact.force_W.norm() * metres_per_newton;
  const Matrix3d Z = rotationWithZ(contact.force_W.stableNormalized());
  const Matrix3d R = (Matrix3d() << Z.col(2), Z.col(0), Z.col(1)).finished();
  constexpr double kShaft = 0.01, kHead = 0.025;  // diameters [m]
  const double head = std::min(0.04, 0.3 * length);
  appendMessage(out, field, [&] {
    appendPose(out, 1, {R, contact.p_WC});
    appendDouble(out, 2, length - head);
    appendDouble(out, 3, kShaft);
    appendDouble(out, 4, head);
    appendDouble(out, 5, kHead);
    appendColor(out, 6, kForceColor);
  });
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
    if (geometry.collision || !canBeDrawn(geometry) || (geometry.shape == "mesh" && !with_meshes)) continue;
    const Frame& frame = model_.frames[model_.frame(geometry.link)];
    const std::string id = fmt::format("{}/{}", geometry.link, count++);
    message_.clear();
    appendMessage(message_, 2, [&] {
      appendEntityHead(message_, time, model_.links[frame.link].name, id);
      appendShape(message_, geometry, frame.X_LF * geometry.X_FS);
    });
    sink_.writeMessage(scene_topic_, time, message_);
  }
}

void FoxgloveScene::writePoses(const RobotDynamics& dynamics, double time) {
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
    appendMessage(message_, 1, [&] {
      appendTime(message_, 1, time);
      appendBytes(message_, 2, kWorld);
      appendBytes(message_, 3, model_.links[link].name);
      appendVector(message_, 4, X_WL.p);
      appendRotation(message_, 5, X_WL.R);
    });
  }
  sink_.writeMessage(poses_topic_, time, message_);
}

void FoxgloveScene::writeForces(const StepResult& result) {
  if (!has_picture_) return;
  has_picture_ = false;
  message_.clear();
  appendMessage(message_, 2, [&] {
    appendEntityHead(message_, picture_, kWorld, "contact forces");
    for (const ContactReport& contact : result.contacts)
      if (contact.force_W.squaredNorm() > 0.0) appendArrow(message_, 7, contact, 1.0 / weight_);
  });
  sink_.writeMessage(scene_topic_, picture_, message_);
}

}  // namespace footfall::record

#include "sensor/sensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"
#include "footfall/model/internal/file_joint.hpp"
#include "sensor/joint_wrench.hpp"

namespace footfall {
namespace {

const std::vector<std::string> kXyz = {"x", "y", "z"};

SensedQuantity vectorQuantity(const std::string& name, const std::string& unit, const std::string& frame) {
  return {name, ErrorKind::additive, {{name, unit, frame, kXyz}}};
}

/// A frame S in which a sensor sits.
struct Mount {
  std::string name;
  LinkIndex link;
  Pose X_LS;

  Pose poseIn(const TreeMotion& links) const { return links[link].X_WL * X_LS; }
};

Mount mountOn(const Model& model, FrameIndex frame) {
  const Frame& f = model.frames[frame];
  return {f.name, f.link, f.X_LF};
}

class Imu : public Sensor {
 public:
  explicit Imu(Mount mount) : mount_(std::move(mount)) {}

  bool needsMotion() const override { return true; }

  std::vector<SensedQuantity> quantities() const override {
    const SensedQuantity orientation{
        "orientation",
        ErrorKind::rotation,
        {{"orientation", "-", "world", {"qx", "qy", "qz", "qw"}}, {"rpy", "rad", "world", {"roll", "pitch", "yaw"}}}};
    return {orientation, vectorQuantity("acceleration", "m/s²", mount_.name),
            vectorQuantity("angular_velocity", "rad/s", mount_.name)};
  }

  void measure(const Instant& instant, Eigen::Ref<VectorXd> values) const override {
    const Pose X_WS = mount_.poseIn(instant.links), X_WS_forced = mount_.poseIn(instant.forced_links);
    const Vector3d acceleration = instant.forced_links[mount_.link].accelerationAt(X_WS_forced.p);
    values.head<4>() = Eigen::Quaterniond(X_WS.R).coeffs();
    values.segment<3>(7) = X_WS_forced.R.transpose() * (acceleration - instant.model.gravity);
    values.segment<3>(10) = X_WS.R.transpose() * instant.links[mount_.link].omega_W;
  }

 private:
  Mount mount_;
};

class ForceTorque : public Sensor {
 public:
  ForceTorque(Subtree below, Mount mount) : below_(std::move(below)), mount_(std::move(mount)) {}

  bool needsMotion() const override { return true; }

  std::vector<SensedQuantity> quantities() const override {
    return {vectorQuantity("force", "N", mount_.name), vectorQuantity("moment", "N m", mount_.name)};
  }

  void measure(const Instant& instant, Eigen::Ref<VectorXd> values) const override {
    values = below_.wrenchFromParent(instant, mount_.poseIn(instant.forced_links));
  }

 private:
  Subtree below_;
  Mount mount_;
};

/// Measures something at each of some coordinates.
class JointSensor : public Sensor {
 public:
  JointSensor(const Model& model, std::vector<DofIndex> dofs) : model_(model), dofs_(std::move(dofs)) {}

 protected:
  /// One scalar channel for each joint.
  SensedQuantity perJoint(const std::string& name, const char* JointTraits::*unit) const {
    SensedQuantity quantity{name, ErrorKind::additive, {}};
    for (const DofIndex i : dofs_) {
      const Dof& dof = model_.dofs[i];
      quantity.channels.push_back({dof.name + "." + name, traitsOf(dof.kind).*unit, "", {}});
    }
    return quantity;
  }

  const Model& model_;
  std::vector<DofIndex> dofs_;
};

class Encoder : public JointSensor {
 public:
  using JointSensor::JointSensor;

  std::vector<SensedQuantity> quantities() const override {
    return {perJoint("position", &JointTraits::position_unit), perJoint("velocity", &JointTraits::velocity_unit)};
  }

  void measure(const Instant& instant, Eigen::Ref<VectorXd> values) const override {
    const int count = static_cast<int>(dofs_.size());
    for (int i = 0; i < count; ++i) {
      values[i] = instant.record.start.q[7 + dofs_[i]];
      values[count + i] = instant.nu[model_.baseDofs() + dofs_[i]];
    }
  }
};

class JointTorque : public JointSensor {
 public:
  using JointSensor::JointSensor;

  std::vector<SensedQuantity> quantities() const override { return {perJoint("torque", &JointTraits::effort_unit)}; }

  void measure(const Instant& instant, Eigen::Ref<VectorXd> values) const override {
    for (std::size_t i = 0; i < dofs_.size(); ++i)
      values[static_cast<int>(i)] = instant.record.result.joint_torque[dofs_[i]];
  }
};

class SoleContact : public Sensor {
 public:
  SoleContact(const Model& model, FrameIndex frame, double threshold)
      : frame_(frame), name_(model.frames[frame].name), threshold_(threshold) {}

  std::vector<SensedQuantity> quantities() const override {
    return {vectorQuantity("force", "N", name_),
            vectorQuantity("moment", "N m", name_),
            {"contact", ErrorKind::none, {{"contact", "-", "", {}}}}};
  }

  void measure(const Instant& instant, Eigen::Ref<VectorXd> values) const override {
    values.setZero();
    for (const SoleReport& sole : instant.record.result.soles) {
      if (sole.frame != frame_) continue;
      values.head<6>() = sole.wrench_F;
      values[6] = sole.wrench_F.head<3>().norm() > threshold_ ? 1.0 : 0.0;
      return;
    }
  }

 private:
  FrameIndex frame_;
  std::string name_;
  double threshold_;  ///< [N]
};

/// Runs a look-up by name and adds the place of the sensor to its error.
template <class Find>
auto lookUp(const SensorSpec& spec, Find find) {
  try {
    return find();
  } catch (const Error& e) {
    throw Error(placeOf(spec), fmt::format("sensor '{}': {}", spec.name, e.problem()), e.hint());
  }
}

FrameIndex frameOf(const SensorSpec& spec, const Model& model) {
  return lookUp(spec, [&] { return model.frame(spec.frame); });
}

std::vector<DofIndex> dofsOf(const SensorSpec& spec, const Model& model) {
  std::vector<DofIndex> dofs;
  for (const std::string& joint : spec.joints) {
    const DofIndex dof = lookUp(spec, [&] { return model.dof(joint); });
    if (std::find(dofs.begin(), dofs.end(), dof) != dofs.end())
      throw Error(placeOf(spec), fmt::format("sensor '{}': joints names '{}' twice", spec.name, joint),
                  "its channels would have the same names: remove one of them");
    dofs.push_back(dof);
  }
  for (int i = 0; spec.joints.empty() && i < model.jointDofs(); ++i) dofs.push_back(DofIndex(i));
  return dofs;
}

/// Where a sensor in a joint sits: on what the file calls the child of that joint, or where it is told to.
Mount mountIn(const std::string& joint, const Mount& in_joint, const SensorSpec& spec, const Model& model) {
  if (!spec.frame.empty()) return mountOn(model, frameOf(spec, model));
  const auto beside = childBeside(model, joint);
  return beside ? mountOn(model, *beside) : in_joint;
}

/// The coordinates of one joint let the same force through: what lies between them is nothing.
std::vector<std::string> namesOf(const FileJoint& joint, const Model& model) {
  std::vector<std::string> names = {joint.name};
  for (int j = joint.first; j <= joint.last && joint.first != joint.last; ++j) names.push_back(model.joints[j].name);
  return names;
}

std::unique_ptr<Sensor> makeForceTorque(const SensorSpec& spec, const Model& model) {
  std::vector<std::string> known;
  for (const FileJoint& joint : fileJointsOf(model)) {
    const std::vector<std::string> names = namesOf(joint, model);
    known.insert(known.end(), names.begin(), names.end());
    if (std::find(names.begin(), names.end(), spec.joint) == names.end()) continue;
    const LinkIndex child(joint.last + 1);
    return std::make_unique<ForceTorque>(Subtree::below(model, joint.last),
                                         mountIn(joint.name, {model.links[child].name, child, {}}, spec, model));
  }
  for (const FixedJoint& joint : model.fixed_joints) {
    known.push_back(joint.name);
    if (joint.name != spec.joint) continue;
    return std::make_unique<ForceTorque>(Subtree::below(model, joint),
                                         mountIn(joint.name, mountOn(model, joint.frame), spec, model));
  }
  throw Error(placeOf(spec), fmt::format("sensor '{}': there is no joint '{}'", spec.name, spec.joint),
              suggestOrList(spec.joint, known));
}

std::unique_ptr<Sensor> makeSoleContact(const SensorSpec& spec, const Model& model) {
  const FrameIndex frame = frameOf(spec, model);
  for (const ContactCandidate& candidate : model.candidates)
    if (candidate.frame == frame) return std::make_unique<SoleContact>(model, frame, spec.threshold);
  throw Error(placeOf(spec),
              fmt::format("sensor '{}': nothing on frame '{}' can touch the ground", spec.name, spec.frame),
              "name the frame among the contacts of the scene");
}

/// Which of the keys that say where a sensor is belong to its type.
struct PlaceKeys {
  bool frame, joint, joints;  ///< may be given
  bool needs_frame, needs_joint;
};

PlaceKeys placeKeysOf(const SensorSpec& spec) {
  if (spec.type == "imu" || spec.type == "contact") return {true, false, false, true, false};
  if (spec.type == "force_torque") return {true, true, false, false, true};
  if (spec.type == "encoder" || spec.type == "joint_torque") return {false, false, true, false, false};
  const std::vector<std::string> types = {"imu", "force_torque", "encoder", "contact", "joint_torque"};
  throw Error(placeOf(spec), fmt::format("sensor '{}': there is no type '{}'", spec.name, spec.type),
              suggestOrList(spec.type, types));
}

void checkPlace(const SensorSpec& spec) {
  const PlaceKeys keys = placeKeysOf(spec);
  const auto check = [&](const char* key, bool given, bool allowed, bool needed) {
    if (given && !allowed)
      throw Error(placeOf(spec),
                  fmt::format("sensor '{}': '{}' does not belong to a sensor of type {}", spec.name, key, spec.type));
    if (needed && !given)
      throw Error(placeOf(spec),
                  fmt::format("sensor '{}': a sensor of type {} needs a '{}'", spec.name, spec.type, key));
  };
  check("frame", !spec.frame.empty(), keys.frame, keys.needs_frame);
  check("joint", !spec.joint.empty(), keys.joint, keys.needs_joint);
  check("joints", !spec.joints.empty(), keys.joints, false);
  check("threshold", spec.threshold != 0.0, spec.type == "contact", false);
}

}  // namespace

int SensedQuantity::size() const {
  return std::accumulate(channels.begin(), channels.end(), 0,
                         [](int sum, const SensorChannel& channel) { return sum + channel.size(); });
}

int SensedQuantity::errorDimension() const {
  if (error == ErrorKind::none) return 0;
  return error == ErrorKind::rotation ? 3 : size();
}

std::string placeOf(const SensorSpec& spec) { return spec.where.empty() ? "sensors" : spec.where; }

std::unique_ptr<Sensor> makeSensor(const SensorSpec& spec, const Model& model) {
  checkPlace(spec);
  if (spec.type == "imu") return std::make_unique<Imu>(mountOn(model, frameOf(spec, model)));
  if (spec.type == "force_torque") return makeForceTorque(spec, model);
  if (spec.type == "encoder") return std::make_unique<Encoder>(model, dofsOf(spec, model));
  if (spec.type == "joint_torque") return std::make_unique<JointTorque>(model, dofsOf(spec, model));
  return makeSoleContact(spec, model);
}

}  // namespace footfall

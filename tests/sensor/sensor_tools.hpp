#pragma once

#include <string>
#include <vector>

#include "footfall/sensor/sensor_suite.hpp"

namespace footfall::test {

inline SensorSpec sensor(const std::string& type, const std::string& name) {
  SensorSpec spec;
  spec.type = type;
  spec.name = name;
  return spec;
}

inline SensorSpec imuOn(const std::string& frame, const std::string& name = "imu") {
  SensorSpec spec = sensor("imu", name);
  spec.frame = frame;
  return spec;
}

inline SensorSpec forceTorqueIn(const std::string& joint, const std::string& frame = "") {
  SensorSpec spec = sensor("force_torque", "ft_" + joint);
  spec.joint = joint;
  spec.frame = frame;
  return spec;
}

/// A step that nobody simulated: the sensors need not know where it comes from.
struct MadeUpStep {
  explicit MadeUpStep(const Model& model) : start(makeState(model)) {
    result.nu_dot = VectorXd::Zero(model.nv());
    result.joint_torque = VectorXd::Zero(model.jointDofs());
  }

  State start;
  std::vector<ExternalWrench> wrenches;
  mutable StepResult result;  ///< record() says where its forces belong

  StepRecord record() const {
    result.q_forces = start.q;
    result.nu_forces = start.nu;
    return {start, wrenches, result};
  }
};

/// What one channel says about one step.
inline VectorXd measureOnce(const Model& model, const SensorSpec& spec, const std::string& channel,
                            const MadeUpStep& step) {
  SensorSuite suite(model, {spec}, 1e-3);
  SensorState state = suite.makeState();
  suite.sample(step.record(), state);
  return suite.read(channel, state).values;
}

/// A robot with one sliding joint `x`, whose position is all that there is to measure.
inline Model slider() {
  Model model;
  model.floating_base = false;
  const SpatialInertia inertia{1.0, Vector3d::Zero(), Matrix3d::Identity()};
  model.links = {{"base", inertia}, {"cart", inertia}};
  Joint joint;
  joint.name = "x";
  joint.kind = JointKind::prismatic;
  joint.parent = LinkIndex(0);
  joint.axis = Vector3d::UnitX();
  joint.dof = DofIndex(0);
  model.joints = {joint};
  model.dofs = {{.name = "x", .kind = JointKind::prismatic}};
  model.frames = {{"base", LinkIndex(0), {}}, {"cart", LinkIndex(1), {}}};
  return model;
}

}  // namespace footfall::test

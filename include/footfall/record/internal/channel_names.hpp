#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "footfall/model/model.hpp"

namespace footfall::record {

// Names that both sides of a log use: RunRecorder writes these channels, StateReader finds them again.

inline constexpr const char* kTime = "time";
inline constexpr const char* kBasePosition = "base.position";
inline constexpr const char* kBaseQuaternion = "base.quaternion";
inline constexpr const char* kBaseVelocity = "base.velocity";
inline constexpr const char* kBaseAngularVelocity = "base.angular_velocity";
inline constexpr const char* kWarmCandidate = "warm_start.candidate";
inline constexpr const char* kWarmImpulse = "warm_start.impulse";
inline constexpr const char* kWarmMinimumNorm = "warm_start.minimum_norm";

/// Channels of a further body that floats: `ball.position`, `ball.quaternion` …
struct BodyChannelNames {
  std::string position, quaternion, velocity, angular_velocity;
};

/// Of all of them, in the order of q and ν.
inline std::vector<BodyChannelNames> bodyChannels(const Model& model) {
  std::vector<BodyChannelNames> names;
  for (const Joint& joint : model.joints)
    if (joint.kind == JointKind::free)
      names.push_back({joint.name + ".position", joint.name + ".quaternion", joint.name + ".velocity",
                       joint.name + ".angular_velocity"});
  return names;
}

/// What the channels of a joint start with: its name, but for those that have other channels already. The first joint
/// of many an arm is called `base`.
inline std::string jointPrefix(const Dof& dof) {
  for (const char* taken : {"base", "com", "energy", "momentum"})
    if (dof.name == taken) return "joint." + dof.name;
  return dof.name;
}

inline std::string positionChannel(const Dof& dof) { return jointPrefix(dof) + ".position"; }
inline std::string velocityChannel(const Dof& dof) { return jointPrefix(dof) + ".velocity"; }
inline std::string motorTorqueChannel(const Motor& motor) { return "motor." + motor.name + ".state.torque"; }
inline std::string motorTorqueRateChannel(const Motor& motor) { return "motor." + motor.name + ".state.torque_rate"; }

/// A channel, or a column of one, of those that RecordOptions::balance is about.
inline bool isOfBalance(std::string_view name) {
  return name.starts_with("energy.") || name.starts_with("com.") || name.starts_with("momentum.");
}

/// Of all transmissions, in the order of State::motors.
inline std::vector<const Motor*> motorsOf(const Model& model) {
  std::vector<const Motor*> motors;
  for (const Transmission& transmission : model.transmissions)
    for (const Motor& motor : transmission.motors) motors.push_back(&motor);
  return motors;
}

}  // namespace footfall::record

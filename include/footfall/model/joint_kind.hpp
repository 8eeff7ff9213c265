#pragma once

#include "footfall/spatial/pose.hpp"

namespace footfall {

enum class JointKind {
  revolute,
  prismatic,
  ball,  ///< one of the three joints that together turn freely; see Joint
  free,  ///< of the base of a further body that floats
  fixed  ///< of the base of a further body that stays where it is
};

/// What there is to say about a kind of joint. Who asks for a name, a unit or how a link moves asks here; what an
/// engine does with a kind is in its folder of `dynamics`, how files call it in `robot_file`.
struct JointTraits {
  const char* name;
  bool turns;   ///< its velocity is one about the axis; its coordinate an angle, or a part of a rotation vector
  bool slides;  ///< its coordinate is a distance along the axis
  // Units of its coordinate; free and fixed joints have none.
  const char* position_unit;
  const char* velocity_unit;
  const char* effort_unit;

  /// One coordinate, which may have limits, friction and a motor.
  bool hasCoordinate() const { return turns || slides; }
};

constexpr JointTraits traitsOf(JointKind kind) {
  switch (kind) {
    case JointKind::revolute:
      return {"revolute", true, false, "rad", "rad/s", "N m"};
    case JointKind::prismatic:
      return {"prismatic", false, true, "m", "m/s", "N"};
    case JointKind::ball:
      return {"ball", true, false, "rad", "rad/s", "N m"};
    case JointKind::free:
      return {"free", false, false, "", "", ""};
    case JointKind::fixed:
      return {"fixed", false, false, "", "", ""};
  }
  return {"", false, false, "", "", ""};
}

/// Pose of the child in the joint frame, of a revolute or prismatic joint, at this position.
inline Pose jointDisplacement(JointKind kind, const Vector3d& axis, double position) {
  if (traitsOf(kind).slides) return {Matrix3d::Identity(), position * axis};
  return {Eigen::AngleAxisd(position, axis).toRotationMatrix(), Vector3d::Zero()};
}

}  // namespace footfall

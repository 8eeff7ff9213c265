#pragma once

#include "footfall/dynamics/dynamics.hpp"

namespace footfall {

/// Velocity of a point of a link, from that of its origin and its rotation; the lever goes from the origin to the point
/// [m/s].
inline Vector3d pointVelocity(const Vector6d& link_velocity_W, const Vector3d& lever_W) {
  return link_velocity_W.head<3>() + link_velocity_W.tail<3>().cross(lever_W);
}

/// The same of the point of a link that is at p_W now.
inline Vector3d pointVelocity(const RobotDynamics& kinematics, LinkIndex link, const Vector3d& p_W) {
  return pointVelocity(kinematics.linkVelocity(link), p_W - kinematics.linkPose(link).p);
}

}  // namespace footfall

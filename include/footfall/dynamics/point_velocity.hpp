#pragma once

#include "footfall/dynamics/dynamics.hpp"

namespace footfall {

/// Velocity of a point of a link, from that of its origin and its rotation; the lever goes from the origin to the point
/// [m/s].
inline Vector3d pointVelocity(const Vector6d& link_velocity_W, const Vector3d& lever_W) {
  return link_velocity_W.head<3>() + link_velocity_W.tail<3>().cross(lever_W);
}

/// Poses and velocities of links at the engine's last update. Those asked for last are remembered: contacts of one link
/// mostly follow each other. A reference lasts until another link is asked for.
class LinkMotions {
 public:
  LinkMotions(const RobotDynamics& kinematics) : kinematics_(kinematics) {}  // NOLINT: an engine is one

  const RobotDynamics& engine() const { return kinematics_; }
  const Pose& pose(LinkIndex link) const {  ///< X_WL
    if (link != posed_) X_WL_ = kinematics_.linkPose(link);
    posed_ = link;
    return X_WL_;
  }
  const Vector6d& velocity(LinkIndex link) const {  ///< of the link's origin, world axes [m/s, rad/s]
    if (link != moving_) velocity_ = kinematics_.linkVelocity(link);
    moving_ = link;
    return velocity_;
  }

 private:
  const RobotDynamics& kinematics_;
  mutable LinkIndex posed_, moving_;
  mutable Pose X_WL_;
  mutable Vector6d velocity_;
};

/// Velocity of the point of a link that is at p_W now.
inline Vector3d pointVelocity(const LinkMotions& motions, LinkIndex link, const Vector3d& p_W) {
  return pointVelocity(motions.velocity(link), p_W - motions.pose(link).p);
}

}  // namespace footfall

#pragma once

#include <vector>

#include "footfall/model/model.hpp"

namespace footfall {

/// How a link L moves at one instant, world axes.
struct LinkMotion {
  Pose X_WL;
  Vector3d omega_W = Vector3d::Zero();         ///< angular velocity [rad/s]
  Vector3d velocity_W = Vector3d::Zero();      ///< of the link's origin [m/s]
  Vector3d alpha_W = Vector3d::Zero();         ///< angular acceleration [rad/s²]
  Vector3d acceleration_W = Vector3d::Zero();  ///< of the link's origin [m/s²]

  /// Of the point of the link that is at p in the world [m/s].
  Vector3d velocityAt(const Vector3d& p_W) const { return velocity_W + omega_W.cross(p_W - X_WL.p); }

  /// Of the point of the link that is at p in the world [m/s²].
  Vector3d accelerationAt(const Vector3d& p_W) const {
    const Vector3d r_W = p_W - X_WL.p;
    return acceleration_W + alpha_W.cross(r_W) + omega_W.cross(omega_W.cross(r_W));
  }
};

/// One sweep from the base outwards gives all that sensors ask about, whichever engine computed the step.
class TreeMotion {
 public:
  explicit TreeMotion(const Model& model) : model_(model), links_(model.links.size()) {}

  void update(const VectorXd& q, const VectorXd& nu, const VectorXd& nu_dot);

  const LinkMotion& operator[](LinkIndex link) const { return links_[link]; }

 private:
  /// @param joint the first of the three
  void moveBall(int joint, const VectorXd& nu, const VectorXd& nu_dot);
  void moveWithParent(const Joint& joint, double rate, double rate_dot, LinkMotion& child) const;

  const Model& model_;
  std::vector<Pose> poses_;
  std::vector<LinkMotion> links_;
};

}  // namespace footfall

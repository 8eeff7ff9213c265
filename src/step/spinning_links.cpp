#include "step/spinning_links.hpp"

#include "step/second_order_rules.hpp"

namespace footfall {
namespace {

/// Of a link: what a velocity (or acceleration) of its centre of mass and of its rotation is as a momentum (or force).
Vector6d momentumOf(const SpatialInertia& inertia, const Matrix3d& R_WL, const Vector3d& v_com, const Vector3d& omega) {
  Vector6d momentum;
  momentum << inertia.mass * v_com, R_WL * (inertia.I_com * (R_WL.transpose() * omega));
  return momentum;
}

Vector6d momentumAt(const RobotDynamics& kinematics, LinkIndex link) {
  const SpatialInertia& inertia = kinematics.model().links[link].inertia;
  const Matrix3d R = kinematics.linkPose(link).R;
  const Vector6d v = kinematics.linkVelocity(link);
  const Vector3d omega = v.tail<3>();
  return momentumOf(inertia, R, v.head<3>() + omega.cross(R * inertia.com), omega);
}

/// What the momentum changes by in a unit of time while nothing accelerates.
Vector6d momentumRate(const Dynamics& dynamics, LinkIndex link) {
  const SpatialInertia& inertia = dynamics.model().links[link].inertia;
  const Matrix3d R = dynamics.linkPose(link).R;
  const Vector3d omega = dynamics.linkVelocity(link).tail<3>(), c = R * inertia.com;
  const Vector6d a = dynamics.linkBiasAcceleration(link);
  const Vector3d alpha = a.tail<3>();
  Vector6d rate = momentumOf(inertia, R, a.head<3>() + alpha.cross(c) + omega.cross(omega.cross(c)), alpha);
  rate.tail<3>() += omega.cross(R * (inertia.I_com * (R.transpose() * omega)));
  return rate;
}

}  // namespace

SpinningLinks::SpinningLinks(const Model& model) : model_(model) { links_.reserve(model.links.size()); }

void SpinningLinks::find(const RobotDynamics& kinematics, double fastest, double dt) {
  links_.clear();
  if (dt * fastest < kLittleTurn) return;
  for (int k = 0; k < static_cast<int>(model_.links.size()); ++k) {
    const LinkIndex link(k);
    if (dt * kinematics.linkVelocity(link).tail<3>().norm() < kLittleTurn) continue;
    links_.push_back({link, momentumAt(kinematics, link), Vector6d::Zero()});
  }
}

void SpinningLinks::takeMiddle(const Dynamics& dynamics) {
  for (Spin& spin : links_) spin.momentum_middle = momentumAt(dynamics, spin.link);
}

void SpinningLinks::correct(const Dynamics& middle, const Dynamics& end, double dt, VectorXd& h) const {
  for (const Spin& spin : links_) {
    // The velocity of the middle is the mean of both ends: half of what it changes by.
    const Vector6d accelerated = 2.0 * (momentumAt(middle, spin.link) - spin.momentum_middle);
    const Vector6d difference = momentumAt(end, spin.link) - spin.momentum_start - accelerated;
    const Vector6d missing = difference / dt - momentumRate(middle, spin.link);
    middle.addWrench(spin.link, model_.links[spin.link].inertia.com, missing, h);
  }
}

}  // namespace footfall

#include "sensor/link_motion.hpp"

#include "footfall/model/kinematics.hpp"

namespace footfall {
namespace {

void moveBase(const VectorXd& nu, const VectorXd& nu_dot, int at, LinkMotion& base) {
  base.velocity_W = nu.segment<3>(at);
  base.omega_W = nu.segment<3>(at + 3);
  base.acceleration_W = nu_dot.segment<3>(at);
  base.alpha_W = nu_dot.segment<3>(at + 3);
}

}  // namespace

void TreeMotion::update(const VectorXd& q, const VectorXd& nu, const VectorXd& nu_dot) {
  forwardKinematics(model_, q, poses_);
  links_[0] = {poses_[0]};
  if (model_.floating_base) moveBase(nu, nu_dot, 0, links_[0]);
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    const Joint& joint = model_.joints[j];
    links_[j + 1] = {poses_[j + 1]};
    if (joint.kind == JointKind::free) moveBase(nu, nu_dot, model_.freeVelocity(joint.body), links_[j + 1]);
    if (!joint.parent.valid()) continue;
    const int row = model_.baseDofs() + joint.dof;
    moveWithParent(joint, joint.multiplier * nu[row], joint.multiplier * nu_dot[row], links_[j + 1]);
  }
}

void TreeMotion::moveWithParent(const Joint& joint, double rate, double rate_dot, LinkMotion& child) const {
  const LinkMotion& parent = links_[joint.parent];
  const Vector3d axis_W = child.X_WL.R * joint.axis;
  child.omega_W = parent.omega_W;
  child.velocity_W = parent.velocityAt(child.X_WL.p);
  child.alpha_W = parent.alpha_W;
  child.acceleration_W = parent.accelerationAt(child.X_WL.p);
  if (traitsOf(joint.kind).turns) {
    child.omega_W += rate * axis_W;
    child.alpha_W += rate_dot * axis_W + parent.omega_W.cross(rate * axis_W);
  } else {
    child.velocity_W += rate * axis_W;
    child.acceleration_W += rate_dot * axis_W + 2.0 * parent.omega_W.cross(rate * axis_W);  // Coriolis
  }
}

}  // namespace footfall

#include "sensor/link_motion.hpp"

#include "footfall/model/kinematics.hpp"

namespace footfall {

void TreeMotion::update(const VectorXd& q, const VectorXd& nu, const VectorXd& nu_dot) {
  forwardKinematics(model_, q, poses_);
  links_[0] = {poses_[0]};
  if (model_.floating_base) {
    links_[0].omega_W = nu.segment<3>(3);
    links_[0].velocity_W = nu.head<3>();
    links_[0].alpha_W = nu_dot.segment<3>(3);
    links_[0].acceleration_W = nu_dot.head<3>();
  }
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    const Joint& joint = model_.joints[j];
    const int row = model_.baseDofs() + joint.dof;
    links_[j + 1].X_WL = poses_[j + 1];
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
  if (joint.kind == JointKind::revolute) {
    child.omega_W += rate * axis_W;
    child.alpha_W += rate_dot * axis_W + parent.omega_W.cross(rate * axis_W);
  } else {
    child.velocity_W += rate * axis_W;
    child.acceleration_W += rate_dot * axis_W + 2.0 * parent.omega_W.cross(rate * axis_W);  // Coriolis
  }
}

}  // namespace footfall

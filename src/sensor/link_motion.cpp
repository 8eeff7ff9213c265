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
    if (joint.kind == JointKind::ball) {
      moveBall(static_cast<int>(j), nu, nu_dot);
      j += 2;
      continue;
    }
    const int row = model_.baseDofs() + joint.dof;
    moveWithParent(joint, joint.multiplier * nu[row], joint.multiplier * nu_dot[row], links_[j + 1]);
  }
}

/// The two links inside of the ball stay with the parent: they are in the joint frame, and have no mass.
void TreeMotion::moveBall(int joint, const VectorXd& nu, const VectorXd& nu_dot) {
  const LinkMotion& parent = links_[model_.joints[joint].parent];
  const int row = model_.baseDofs() + model_.joints[joint].dof;
  for (int part = 1; part <= 3; ++part) {
    LinkMotion& child = links_[joint + part];
    child = {poses_[joint + part]};
    child.omega_W = parent.omega_W;
    child.velocity_W = parent.velocityAt(child.X_WL.p);
    child.alpha_W = parent.alpha_W;
    child.acceleration_W = parent.accelerationAt(child.X_WL.p);
  }
  const Matrix3d& R_WJ = poses_[joint + 1].R;
  const Vector3d omega_W = R_WJ * nu.segment<3>(row);
  links_[joint + 3].omega_W += omega_W;
  links_[joint + 3].alpha_W += R_WJ * nu_dot.segment<3>(row) + parent.omega_W.cross(omega_W);
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

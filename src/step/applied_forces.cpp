#include "footfall/step/internal/applied_forces.hpp"

#include "footfall/model/ball_joint.hpp"

namespace footfall {
namespace {

MovingPoint pointOf(const RobotDynamics& dynamics, LinkIndex link, const Vector3d& p_L) {
  if (!link.valid()) return {p_L, Vector3d::Zero()};
  const Pose X_WL = dynamics.linkPose(link);
  const Vector6d velocity = dynamics.linkVelocity(link);
  const Vector3d r_W = X_WL.R * p_L;
  return {X_WL.p + r_W, velocity.head<3>() + velocity.tail<3>().cross(r_W)};
}

void addForce(const RobotDynamics& dynamics, LinkIndex link, const Vector3d& p_L, const Vector3d& force_W,
              VectorXd& tau) {
  if (!link.valid()) return;
  Vector6d wrench_W;
  wrench_W << force_W, Vector3d::Zero();
  dynamics.addWrench(link, p_L, wrench_W, tau);
}

}  // namespace

void addPointSprings(const RobotDynamics& dynamics, VectorXd& tau) {
  for (const PointSpring& spring : dynamics.model().point_springs) {
    const Vector3d force_W =
        forceOnA(spring, pointOf(dynamics, spring.link_a, spring.p_A), pointOf(dynamics, spring.link_b, spring.p_B));
    addForce(dynamics, spring.link_a, spring.p_A, force_W, tau);
    addForce(dynamics, spring.link_b, spring.p_B, -force_W, tau);
  }
}

double elasticEnergy(const State& state, const RobotDynamics& dynamics) {
  double energy = 0.0;
  for (int i = 0; i < dynamics.model().jointDofs(); ++i) {
    const Dof& dof = dynamics.model().dofs[i];
    if (dof.kind == JointKind::ball) continue;
    const double stretch = state.joints()[i] - dof.spring_reference;
    energy += 0.5 * dof.spring_stiffness * stretch * stretch;
  }
  for (const DofIndex ball : dynamics.model().balls) {
    const Dof* dofs = &dynamics.model().dofs[ball];
    const Vector3d rest(dofs[0].spring_reference, dofs[1].spring_reference, dofs[2].spring_reference);
    const Vector3d turn = turnBetween(rest, state.joints().segment<3>(ball));
    for (int axis = 0; axis < 3; ++axis) energy += 0.5 * dofs[axis].spring_stiffness * turn[axis] * turn[axis];
  }
  for (const PointSpring& spring : dynamics.model().point_springs)
    energy += energyOf(spring, pointOf(dynamics, spring.link_a, spring.p_A).p_W,
                       pointOf(dynamics, spring.link_b, spring.p_B).p_W);
  return energy;
}

void AppliedForces::addOfState(double fraction, const VectorXd& q, const VectorXd& nu, const RobotDynamics& dynamics,
                               VectorXd& tau) const {
  addPointSprings(dynamics, tau);
  if (field) field({time + fraction * dt, q, nu, dynamics}, tau);
}

void AppliedForces::addTo(double fraction, const VectorXd& q, const VectorXd& nu, const RobotDynamics& dynamics,
                          VectorXd& tau) const {
  for (const ExternalWrench& e : input.wrenches) dynamics.addWrench(e.link, e.p_LP, e.wrench_W, tau);
  if (input.generalized.size() > 0) tau += input.generalized;
  addOfState(fraction, q, nu, dynamics, tau);
}

}  // namespace footfall

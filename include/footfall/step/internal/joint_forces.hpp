#pragma once

#include "footfall/model/ball_joint.hpp"
#include "footfall/step/step.hpp"

namespace footfall {

/// Inertia of a joint that nothing but its own drive can move: so large that a force on it does nothing, and small
/// enough that products of it stay finite [kg m² or kg].
constexpr double kImmovableInertia = 1e100;

/// The same for springs of the model, and for those that hold a posture.
template <class Joints>
void turnBallSprings(const Model& model, const JointSprings* springs, const Joints& s, VectorXd& torque) {
  for (const DofIndex ball : model.balls) {
    const Dof* dofs = &model.dofs[ball];
    const Vector3d theta = s.template segment<3>(ball);
    const Vector3d rest(dofs[0].spring_reference, dofs[1].spring_reference, dofs[2].spring_reference);
    const Vector3d beyond = turnBetween(theta, rest) - (rest - theta);
    for (int axis = 0; axis < 3; ++axis) torque[ball + axis] += dofs[axis].spring_stiffness * beyond[axis];
  }
  if (springs) turnBallSprings(model, springs->stiffness, s, springs->target, torque);
}

/// What inputs, springs and dampers do at the joints, as seen from the start of a step of length dt that ends with the
/// joint velocity ṡ + Δ:  tau(s + dt (ṡ + Δ), ṡ + Δ) = torque − inertia/dt · Δ.  With dt = 0: the torque here and now.
/// The inertia is what docs/theory.md (7) adds to M.
/// Prescribed joints have the torque of here and now, and give way to nothing.
template <class Joints, class Rates>
void linearizeJointForces(const Model& model, const Input& input, const JointSprings* springs, const Joints& s,
                          const Rates& s_dot, double dt, VectorXd& torque, VectorXd& inertia) {
  for (int i = 0; i < model.jointDofs(); ++i) {
    const Dof& dof = model.dofs[i];
    const double ahead = dof.prescribed ? 0.0 : dt;
    const double stiffness = springs ? springs->stiffness[i] : 0.0;
    const double damping = dof.damping + (springs ? springs->damping[i] : 0.0);
    const double stretch = springs ? springs->target[i] - s[i] - ahead * s_dot[i] : 0.0;
    const double own_stretch = dof.spring_reference - s[i] - ahead * s_dot[i];
    torque[i] = input.tau[i] + stiffness * stretch - damping * s_dot[i] + dof.spring_stiffness * own_stretch;
    inertia[i] = dof.prescribed ? kImmovableInertia : dt * (damping + dt * (stiffness + dof.spring_stiffness));
  }
  turnBallSprings(model, springs, s, torque);
}

}  // namespace footfall

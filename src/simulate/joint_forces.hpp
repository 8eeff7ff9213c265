#pragma once

#include "footfall/simulate/step.hpp"

namespace footfall {

/// What inputs, springs and dampers do at the joints, as seen from the start of a step of length dt that ends with the
/// joint velocity ṡ + Δ:  tau(s + dt (ṡ + Δ), ṡ + Δ) = torque − inertia/dt · Δ.  With dt = 0: the torque here and now.
template <class Joints, class Rates>
void linearizeJointForces(const Model& model, const Input& input, const JointSprings* springs, const Joints& s,
                          const Rates& s_dot, double dt, VectorXd& torque, VectorXd& inertia) {
  for (int i = 0; i < model.jointDofs(); ++i) {
    const double stiffness = springs ? springs->stiffness[i] : 0.0;
    const double damping = model.dofs[i].damping + (springs ? springs->damping[i] : 0.0);
    const double stretch = springs ? springs->target[i] - s[i] - dt * s_dot[i] : 0.0;
    torque[i] = input.tau[i] + stiffness * stretch - damping * s_dot[i];
    inertia[i] = dt * (damping + dt * stiffness);
  }
}

}  // namespace footfall

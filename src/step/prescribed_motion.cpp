#include "step/prescribed_motion.hpp"

namespace footfall {

PrescribedMotion::PrescribedMotion(const Model& model) : base_dofs_(model.baseDofs()) {
  for (int i = 0; i < model.jointDofs(); ++i)
    if (model.dofs[i].prescribed) dofs_.push_back(DofIndex(i));
  for (VectorXd* v : {&from_, &from_rate_, &to_, &to_rate_}) v->setZero(static_cast<Eigen::Index>(dofs_.size()));
  for (VectorXd* v : {&nu_dot_, &forces_, &product_}) v->setZero(model.nv());
}

void PrescribedMotion::begin(const State& start, const Input& input, double dt) {
  dt_ = dt;
  int k = 0;
  for (const DofIndex dof : dofs_) {
    from_[k] = start.q[7 + dof];
    from_rate_[k] = start.nu[base_dofs_ + dof];
    to_[k] = input.position[dof];
    to_rate_[k] = input.velocity[dof];
    ++k;
  }
}

void PrescribedMotion::place(double fraction, VectorXd& q, VectorXd& nu) const {
  const double f = fraction;
  int k = 0;
  for (const DofIndex dof : dofs_) {
    const double distance = to_[k] - from_[k];
    // Hermite's cubic as a deviation from the nearer end: exact at both.
    q[7 + dof] = f < 1.0 ? from_[k] + f * f * (3.0 - 2.0 * f) * distance +
                               dt_ * f * (1.0 - f) * ((1.0 - f) * from_rate_[k] - f * to_rate_[k])
                         : to_[k];
    nu[base_dofs_ + dof] = f < 1.0 ? 6.0 * f * (1.0 - f) * distance / dt_ +
                                         (1.0 - f) * (1.0 - 3.0 * f) * from_rate_[k] + f * (3.0 * f - 2.0) * to_rate_[k]
                                   : to_rate_[k];
    ++k;
  }
}

void PrescribedMotion::accelerateInTheMean(const Dynamics& dynamics, VectorXd& x) {
  int k = 0;
  for (const DofIndex dof : dofs_) {
    nu_dot_[base_dofs_ + dof] = (to_rate_[k] - from_rate_[k]) / dt_;
    ++k;
  }
  solve(dynamics, x);
}

void PrescribedMotion::accelerate(const Dynamics& dynamics, double fraction, VectorXd& x) {
  int k = 0;
  for (const DofIndex dof : dofs_) {
    const double mean_rate = (to_[k] - from_[k]) / dt_;
    nu_dot_[base_dofs_ + dof] = (6.0 * (1.0 - 2.0 * fraction) * mean_rate + (6.0 * fraction - 4.0) * from_rate_[k] +
                                 (6.0 * fraction - 2.0) * to_rate_[k]) /
                                dt_;
    ++k;
  }
  solve(dynamics, x);
}

void PrescribedMotion::solve(const Dynamics& dynamics, VectorXd& x) {
  if (any()) {
    forces_ = x;
    dynamics.multiplyMass(nu_dot_, product_);
    x -= product_;
  }
  dynamics.solveMass(x);
  for (const DofIndex dof : dofs_) x[base_dofs_ + dof] = nu_dot_[base_dofs_ + dof];
}

void PrescribedMotion::driveImpulse(const Dynamics& dynamics, const VectorXd& change, double duration,
                                    const VectorXd& reaction, VectorXd& impulse) {
  impulse.setZero();
  dynamics.multiplyMass(change, product_);
  for (const DofIndex dof : dofs_) {
    const int row = base_dofs_ + dof;
    impulse[dof] = product_[row] - duration * forces_[row] - reaction[row];
  }
}

}  // namespace footfall

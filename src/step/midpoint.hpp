#pragma once

#include "footfall/step/integrator.hpp"
#include "step/momentum.hpp"
#include "step/rk4.hpp"

namespace footfall {

/// Second order, reversible, no drift of energy: the implicit midpoint rule, with the base's velocity from the
/// momentum. For a single rigid body it is the energy–momentum method of Simo and Wong: both are kept exactly. Where a
/// mechanism could go another way, its equation has solutions with loops that do work: such a step is that of rk4.
class Midpoint : public Integrator {
 public:
  std::string_view name() const override { return "midpoint"; }
  int order() const override { return 2; }
  void reserve(const Model& model) override;
  void advance(const FreeStep& step, VectorXd& q, VectorXd& nu) override;

 private:
  /// Configurations at the middle and at the end of the step, from the velocities at both ends.
  void moveConfiguration(const Model& model, const VectorXd& q, const VectorXd& nu, double dt);

  MomentumKeeper keeper_;
  RungeKutta4 elsewhere_;
  VectorXd nu_end_, nu_mid_, nu_dot_, mean_;
  VectorXd q_mid_, q_end_;
};

}  // namespace footfall

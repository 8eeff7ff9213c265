#include "step/euler.hpp"

namespace footfall {

void SemiImplicitEuler::advance(const FreeStep& step, VectorXd& q, VectorXd& nu) {
  const Model& model = step.motion.model();
  const Vector6d momentum = step.motion.dynamics().momentum() + step.dt * step.motion.momentumRate(0.0, q, nu);
  nu = step.nu_free;
  integrateConfiguration(model, nu, step.dt, q);
  step.motion.placeAtEnd(q, nu);
  keeper_.enforce(momentum, q, nu, step.motion.dynamics());
}

void ExplicitEuler::advance(const FreeStep& step, VectorXd& q, VectorXd& nu) {
  integrateConfiguration(step.motion.model(), nu, step.dt, q);
  nu = step.nu_free;
}

}  // namespace footfall

#include "step/joint_mobility.hpp"

#include "footfall/model/state.hpp"

namespace footfall {

void goToZeroPosture(const Model& model, Dynamics& dynamics) {
  const State zero = makeState(model);
  dynamics.setImplicitInertia(VectorXd::Zero(model.jointDofs()));
  dynamics.update(zero.q, zero.nu);
}

VectorXd freeMobilities(const Model& model, Dynamics& dynamics) {
  goToZeroPosture(model, dynamics);
  VectorXd mobilities(model.jointDofs()), unit(model.nv());
  for (int i = 0; i < model.jointDofs(); ++i) {
    unit.setZero();
    unit[model.baseDofs() + i] = 1.0;
    dynamics.solveMass(unit);
    mobilities[i] = unit[model.baseDofs() + i];
  }
  return mobilities;
}

}  // namespace footfall

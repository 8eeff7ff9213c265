#include "step/stiff_flight.hpp"

#include "footfall/model/state.hpp"

namespace footfall {

StiffFlight::StiffFlight(const Model& model, Dynamics& dynamics) : mobility_(VectorXd::Zero(model.jointDofs())) {
  const State zero = makeState(model);
  dynamics.setImplicitInertia(VectorXd::Zero(model.jointDofs()));
  dynamics.update(zero.q, zero.nu);
  VectorXd unit(model.nv());
  for (int i = 0; i < model.jointDofs(); ++i) {
    if (model.dofs[i].prescribed) continue;
    unit.setZero();
    unit[model.baseDofs() + i] = 1.0;
    dynamics.solveMass(unit);
    mobility_[i] = unit[model.baseDofs() + i];
  }
}

}  // namespace footfall

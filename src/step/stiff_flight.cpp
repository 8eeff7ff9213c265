#include "step/stiff_flight.hpp"

#include "step/joint_mobility.hpp"

namespace footfall {

StiffFlight::StiffFlight(const Model& model, Dynamics& dynamics)
    : model_(model), mobility_(freeMobilities(model, dynamics)) {
  forgetPrescribed();
}

void StiffFlight::use(const MassTraits& traits) {
  mobility_ = traits.mobility.col(0);
  forgetPrescribed();
}

void StiffFlight::forgetPrescribed() {
  for (int i = 0; i < model_.jointDofs(); ++i)
    if (model_.dofs[i].prescribed) mobility_[i] = 0.0;  // no spring moves it
}

}  // namespace footfall

#include "step/stiff_flight.hpp"

#include "step/joint_mobility.hpp"

namespace footfall {

StiffFlight::StiffFlight(const Model& model, Dynamics& dynamics) : mobility_(freeMobilities(model, dynamics)) {
  for (int i = 0; i < model.jointDofs(); ++i)
    if (model.dofs[i].prescribed) mobility_[i] = 0.0;  // no spring moves it
}

}  // namespace footfall

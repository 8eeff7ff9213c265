#pragma once

#include "footfall/simulate/simulation.hpp"

namespace footfall::python {

/// The result of a simulation's last step: always the newest one.
struct LastResult {
  Simulation& simulation;

  StepResult& get() const { return const_cast<StepResult&>(simulation.result()); }
};

}  // namespace footfall::python

#pragma once

#include <string>
#include <vector>

#include "footfall/run/simulation.hpp"

namespace footfall {

/// A step around a state, linear: x⁺ = A x + B u. x are the differences of base position [m] and orientation (about
/// world axes) [rad], where the base floats, of joint positions, then of the velocities of the same, then of torque
/// [N m] and its rate [N m/s] of each motor that takes time; u those of joint torques, which motors are commanded.
/// What prescribed joints are given makes no difference: their columns are zero.
struct LinearStep {
  MatrixXd A, B;
  std::vector<std::string> states, inputs;  ///< names
  double step = 0.0;                        ///< [s]
};

/// By central differences of the whole step, with all that the scene does in it (contacts, springs, motors); the
/// simulation is left as it was, but for result(), which is that of a trial. Valid as long as contacts neither open nor
/// begin to slide. Throws Error when a step fails.
LinearStep linearizeStep(Simulation& simulation);

}  // namespace footfall

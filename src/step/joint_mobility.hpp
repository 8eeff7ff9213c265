#pragma once

#include "footfall/dynamics/dynamics.hpp"

namespace footfall {

/// Brings the engine to the posture of all zeros, at rest, without springs: what is computed once and for all is
/// computed there.
void goToZeroPosture(const Model& model, Dynamics& dynamics);

/// (M⁻¹)_ii of each joint of the robot in the air, there (n).
VectorXd freeMobilities(const Model& model, Dynamics& dynamics);

}  // namespace footfall

#pragma once

#include <string>

#include "footfall/model/model.hpp"

namespace footfall {

/// Gives a model motors, and adds what they do to it all the time: the inertia of the rotors and the friction,
///
///     M += T⁻ᵀ diag(gear_ratio² · rotor_inertia) T⁻¹,    damping += T⁻ᵀ diag(viscous) T⁻¹,    friction += coulomb.
///
/// Throws Error (at `where`) for numbers that make no sense, a matrix that cannot be inverted, joints that another
/// transmission drives, and for Coulomb friction of a motor that moves several joints.
void addTransmission(const Transmission& transmission, const std::string& where, Model& model);

/// T⁻¹: the motors' speeds from those of the joints.
MatrixXd inverseTransmission(const Transmission& transmission);

/// T⁻ᵀ diag(viscous) T⁻¹ [N m s/rad]
MatrixXd viscousMatrix(const Transmission& transmission);

}  // namespace footfall

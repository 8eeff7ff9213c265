#pragma once

#include <span>

#include "footfall/contact/contact_model.hpp"

namespace footfall {

/// G, mu and b = J nu − (velocity of the ground), in contact axes: what all the rigid problems share.
void assembleContactProblem(const Dynamics& dynamics, std::span<const ActiveContact> active, const VectorXd& nu,
                            ContactProblem& problem);

/// What is added to the normal velocity so that a contact ends the step on the surface and not inside it [m/s]:
/// v_n + gap/dt >= 0. What is already inside comes out slowly, so that no energy worth mentioning is made.
double gapVelocity(double gap, double dt);

}  // namespace footfall

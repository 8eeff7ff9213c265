#pragma once

#include "footfall/contact/constraint_system.hpp"
#include "footfall/model/state.hpp"

namespace footfall {

// The solution of a step is the first guess of the next one: contacts find theirs again by their candidates, wherever
// they stand in the problem.

/// solution ← what was kept, in the order of the system's problem; zero where nothing was.
void loadWarmStart(const WarmStart& warm, const Model& model, const ConstraintSystem& system,
                   ContactSolution& solution);
void storeWarmStart(const ContactSolution& solution, const Model& model, const ConstraintSystem& system,
                    WarmStart& warm);
void forgetWarmStart(WarmStart& warm);

}  // namespace footfall

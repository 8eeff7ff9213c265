#pragma once

#include <memory>

#include "footfall/solver/contact_solver.hpp"

namespace footfall {

/// Footfall's own solver: all three friction laws, built in. docs/contact_solver.md tells how it works.
std::unique_ptr<ContactSolver> makeNativeSolver();

}  // namespace footfall

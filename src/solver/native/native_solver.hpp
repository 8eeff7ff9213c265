#pragma once

#include <memory>

#include "footfall/solver/contact_solver.hpp"

namespace footfall {

/// Footfall's own solver: all three friction laws, built in. docs/contact_solver.md tells how it works.
/// @param without stages that are left out, a bit for each: benchmarks/solver/ablation.cpp sees what they buy
std::unique_ptr<ContactSolver> makeNativeSolver(unsigned without = 0);

}  // namespace footfall

#pragma once

#include <memory>

#include "footfall/solver/contact_solver.hpp"

namespace footfall {

/// Solves a problem of several islands, contacts that no motion of another one can feel, island by island with another
/// solver: bodies that do not touch each other, directly or by others, cost what each costs alone.
std::unique_ptr<ContactSolver> makeIslandSolver(std::unique_ptr<ContactSolver> solver);

}  // namespace footfall

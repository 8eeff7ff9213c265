#pragma once

#include <memory>
#include <string>

#include "footfall/solver/contact_solver.hpp"

namespace footfall {

/// A solver of a plug-in: what it throws, and what none may return, becomes an Error that names it.
std::unique_ptr<ContactSolver> watchSolver(std::unique_ptr<ContactSolver> made, const std::string& name);

}  // namespace footfall

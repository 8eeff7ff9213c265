#pragma once

#include <fmt/format.h>

#include "footfall/base/internal/plugin_border.hpp"
#include "footfall/solver/contact_problem.hpp"

namespace footfall {

/// Of a plug-in that was given so many rows. Impulses that are not finite are found by the step itself, and end the run
/// as a failed solve does.
inline void requireSolution(const PluginBorder& border, const ContactSolution& solution, std::size_t rows) {
  if (solution.impulse.size() != rows)
    throw border.fault(
        fmt::format("left {} impulses, expected the {} that it was given", solution.impulse.size(), rows));
  if (solution.status != SolveStatus::failed && !(solution.residual >= 0.0))
    throw border.fault(fmt::format("says that it has solved a problem with a residual of {}, expected 0 or more [m/s]",
                                   solution.residual));
}

}  // namespace footfall

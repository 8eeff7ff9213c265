#pragma once

#include <string>

#include "footfall/model/state.hpp"

namespace footfall {

/// Joints that stand outside of their limits, in a line: "1 of 12 joints is outside of its limits (FL_calf at 0 rad,
/// limits -2.72 to -0.838)". Empty: none is. Prescribed joints know no limits.
std::string jointsOutsideLimits(const Model& model, const State& state);

}  // namespace footfall

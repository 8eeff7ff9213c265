#pragma once

#include "footfall/model/model.hpp"
#include "footfall/model/state.hpp"

namespace footfall::studio {

/// A robot at rest in one of its joints, which was put elsewhere by hand; the joints of closed loops follow. Throws
/// Refused for a joint that there is not, a place outside of its limits, and loops that cannot be closed there.
State withJointAt(const Model& model, State state, int dof, double position);

}  // namespace footfall::studio

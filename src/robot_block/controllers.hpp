#pragma once

#include "footfall/block/registry.hpp"

namespace footfall {

/// `JointPD`, `ComputedTorque`, `GravityCompensation`.
void addControllers(BlockRegistry& registry);

}  // namespace footfall

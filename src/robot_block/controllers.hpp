#pragma once

#include "footfall/block/registry.hpp"

namespace footfall {

/// `JointPD`, `ComputedTorque`, `GravityCompensation`.
void addRobotControllers(BlockRegistry& registry);

}  // namespace footfall

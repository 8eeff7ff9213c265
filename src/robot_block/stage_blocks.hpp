#pragma once

#include "footfall/block/registry.hpp"

namespace footfall {

/// The stages of a step as blocks: `RobotState`, `DynamicsTerms`, `ContactDetection`, `Impact`, `FreeVelocity`,
/// `ContactSolver`, `StateIntegrator`; and `RobotFromStages`, a sub-diagram of them.
void addStageBlocks(BlockRegistry& registry);

}  // namespace footfall

#pragma once

#include "footfall/block/registry.hpp"

namespace footfall {

/// The stages of a step as blocks: `RobotState`, `DynamicsTerms`, `ContactDetection`, `Impact`, `FreeVelocity`,
/// `ContactSolver`, `StateIntegrator`.
void addStageBlocks(BlockRegistry& registry);
/// The last two of them.
void addEndingStages(BlockRegistry& registry);

/// `RobotFromStages`, a sub-diagram of all of them.
void addRobotFromStages(BlockRegistry& registry);

}  // namespace footfall

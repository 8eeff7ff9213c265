#pragma once

#include "footfall/block/registry.hpp"

namespace footfall {

// The library by themes, one file each.
void addSources(BlockRegistry& registry);
void addTrajectories(BlockRegistry& registry);
void addArithmetic(BlockRegistry& registry);
void addLinearAlgebra(BlockRegistry& registry);
void addLogic(BlockRegistry& registry);
void addNonlinearities(BlockRegistry& registry);
void addLookupTables(BlockRegistry& registry);
void addRouting(BlockRegistry& registry);
void addBuses(BlockRegistry& registry);
void addDiscrete(BlockRegistry& registry);
void addContinuous(BlockRegistry& registry);
void addLinearSystems(BlockRegistry& registry);
void addControllers(BlockRegistry& registry);
void addPolicy(BlockRegistry& registry);
void addQuadraticProgram(BlockRegistry& registry);
void addStateMachine(BlockRegistry& registry);
void addSinks(BlockRegistry& registry);

}  // namespace footfall

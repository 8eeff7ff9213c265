#include "footfall/block_library/library.hpp"

#include "block_library/groups.hpp"

namespace footfall {

void addLibraryBlocks(BlockRegistry& registry) {
  addSources(registry);
  addTrajectories(registry);
  addArithmetic(registry);
  addLinearAlgebra(registry);
  addLogic(registry);
  addNonlinearities(registry);
  addLookupTables(registry);
  addRouting(registry);
  addBuses(registry);
  addDiscrete(registry);
  addContinuous(registry);
  addLinearSystems(registry);
  addControllers(registry);
  addPolicy(registry);
  addQuadraticProgram(registry);
  addStateMachine(registry);
  addSinks(registry);
}

}  // namespace footfall

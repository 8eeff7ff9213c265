#pragma once

#include "footfall/block/registry.hpp"

namespace footfall {

/// The blocks that know no robot: sources, maths, logic, routing, discrete and continuous systems, control, sinks.
void addLibraryBlocks(BlockRegistry& registry);

}  // namespace footfall

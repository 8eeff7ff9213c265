#pragma once

#include "footfall/block/registry.hpp"

namespace footfall {

/// The blocks of this library: those that know no robot, and those of a robot.
BlockRegistry builtInBlocks();

/// Those, and the blocks of plug-ins.
BlockRegistry allBlocks();

}  // namespace footfall

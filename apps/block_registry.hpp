#pragma once

#include "footfall/block/registry.hpp"

namespace footfall::command {

/// The blocks of this library.
BlockRegistry builtInBlocks();

/// Those, and the blocks of plug-ins.
BlockRegistry allBlocks();

}  // namespace footfall::command

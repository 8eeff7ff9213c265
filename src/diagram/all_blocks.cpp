#include "footfall/diagram/all_blocks.hpp"

#include "footfall/block_library/library.hpp"
#include "footfall/robot_block/robot_blocks.hpp"

namespace footfall {

BlockRegistry builtInBlocks() {
  BlockRegistry registry;
  addLibraryBlocks(registry);
  addRobotBlocks(registry);
  return registry;
}

BlockRegistry allBlocks() {
  BlockRegistry registry = builtInBlocks();
  registry.loadPlugins();
  return registry;
}

}  // namespace footfall

#include "block_registry.hpp"

namespace footfall::command {

BlockRegistry builtInBlocks() {
  BlockRegistry registry;
  return registry;
}

BlockRegistry allBlocks() {
  BlockRegistry registry = builtInBlocks();
  registry.loadPlugins();
  return registry;
}

}  // namespace footfall::command

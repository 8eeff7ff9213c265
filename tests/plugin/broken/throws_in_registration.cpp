#include <stdexcept>

#include "footfall/block.hpp"

FOOTFALL_PLUGIN_IDENTITY
extern "C" void footfall_add_blocks(footfall::BlockRegistry&) { throw std::runtime_error("the licence has expired"); }

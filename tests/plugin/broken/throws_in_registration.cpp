#include <stdexcept>

#include "footfall/block.hpp"

extern "C" const char* footfall_plugin_version() { return FOOTFALL_VERSION_TEXT; }
extern "C" void footfall_add_blocks(footfall::BlockRegistry&) { throw std::runtime_error("the licence has expired"); }

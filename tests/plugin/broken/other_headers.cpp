// Compiled against headers that have changed since, and kept their version.
#include "footfall/base/plugin_headers.hpp"
#undef FOOTFALL_PLUGIN_HEADERS
#define FOOTFALL_PLUGIN_HEADERS "000000000000"
#include "footfall/base/plugin_identity.hpp"

FOOTFALL_PLUGIN_IDENTITY
extern "C" void footfall_add_blocks(void*) { __builtin_trap(); }

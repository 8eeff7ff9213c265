// As those of before had it: the version alone.
#include "footfall/base/version.hpp"

extern "C" const char* footfall_plugin_version() { return FOOTFALL_VERSION_TEXT; }
extern "C" void footfall_add_blocks(void*) {}

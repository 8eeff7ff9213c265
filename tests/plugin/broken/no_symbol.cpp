#include "footfall/base/version.hpp"

extern "C" const char* footfall_plugin_version() { return FOOTFALL_VERSION_TEXT; }

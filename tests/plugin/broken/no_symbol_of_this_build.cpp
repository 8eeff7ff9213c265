// Somebody forgot FOOTFALL_SOLVER(MySolver).
#include "footfall/base/plugin_identity.hpp"

FOOTFALL_PLUGIN_IDENTITY

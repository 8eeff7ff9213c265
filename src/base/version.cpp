#include "footfall/base/version.hpp"

namespace footfall {

const char* version() { return FOOTFALL_VERSION; }

}  // namespace footfall

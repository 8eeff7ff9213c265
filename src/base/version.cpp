#include "footfall/base/version.hpp"

namespace footfall {

const char* version() { return FOOTFALL_VERSION_TEXT; }

const char* revision() { return FOOTFALL_REVISION; }

}  // namespace footfall

#pragma once

namespace footfall {

/// "0.1.0": as in CMakeLists.txt.
const char* version();

}  // namespace footfall

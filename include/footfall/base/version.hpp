#pragma once

/// The version of these headers: the one place where it is written, CMake reads it from here.
#define FOOTFALL_VERSION_TEXT "0.1.0"

namespace footfall {

/// The version of the library that runs.
const char* version();

}  // namespace footfall

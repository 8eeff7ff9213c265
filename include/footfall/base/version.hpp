#pragma once

/// The version of these headers: the one place where it is written, CMake reads it from here.
#define FOOTFALL_VERSION_TEXT "0.1.0"

namespace footfall {

/// The version of the library that runs.
const char* version();

/// What git called the source when it was configured: "v0.1.0-12-gbec1a7b"; "unknown" outside of a clone.
const char* revision();

}  // namespace footfall

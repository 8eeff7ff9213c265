#pragma once

#include <Eigen/Core>

#include "footfall/base/plugin_headers.hpp"  // made by the build
#include "footfall/base/version.hpp"

// What a plug-in and the library that opens it must agree in, for they hand objects to each other whose layout both
// have compiled: the headers, to the letter, and Eigen. Code that is compiled with -march=native, or the like, aligns
// Eigen's memory otherwise, and what one of them has allocated the other cannot free.

#define FOOTFALL_TEXT_OF(x) #x
#define FOOTFALL_VALUE_OF(x) FOOTFALL_TEXT_OF(x)

/// "headers 0123456789ab, Eigen 3.4.0 aligned to 16 bytes"
#define FOOTFALL_PLUGIN_BUILD                                                                                         \
  "headers " FOOTFALL_PLUGIN_HEADERS                                                                                  \
  ", Eigen " FOOTFALL_VALUE_OF(EIGEN_WORLD_VERSION) "." FOOTFALL_VALUE_OF(EIGEN_MAJOR_VERSION) "." FOOTFALL_VALUE_OF( \
      EIGEN_MINOR_VERSION) " aligned to " FOOTFALL_VALUE_OF(EIGEN_MAX_ALIGN_BYTES) " bytes"

/// Once in the source of a plug-in; FOOTFALL_BLOCKS, FOOTFALL_SOLVER and their like have it inside.
#define FOOTFALL_PLUGIN_IDENTITY                                                            \
  extern "C" __attribute__((visibility("default"))) const char* footfall_plugin_version() { \
    return FOOTFALL_VERSION_TEXT;                                                           \
  }                                                                                         \
  extern "C" __attribute__((visibility("default"))) const char* footfall_plugin_build() {   \
    return FOOTFALL_PLUGIN_BUILD;                                                           \
  }

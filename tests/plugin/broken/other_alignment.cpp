// As with -march=native: what Eigen allocates here, the library could not free.
#define EIGEN_MAX_ALIGN_BYTES 64
#include "footfall/base/plugin_identity.hpp"

FOOTFALL_PLUGIN_IDENTITY
extern "C" void* footfall_make_solver() { __builtin_trap(); }

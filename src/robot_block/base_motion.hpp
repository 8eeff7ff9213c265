#pragma once

#include "footfall/block/registry.hpp"

namespace footfall {

/// `BaseMotion`.
void addBaseMotion(BlockRegistry& registry);

}  // namespace footfall

#pragma once

#include <nlohmann/json_fwd.hpp>

#include "footfall/block/registry.hpp"

namespace footfall::studio {

/// The kinds of blocks that a page may put into a diagram, with all that they say about themselves.
/// @param allow_files also those that name files, and those of plug-ins
nlohmann::json paletteJson(const BlockRegistry& registry, bool allow_files);

}  // namespace footfall::studio

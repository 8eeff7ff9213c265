#pragma once

#include <nlohmann/json_fwd.hpp>

#include "footfall/scene/scene.hpp"
#include "studio/server/recording.hpp"

namespace footfall::studio {

/// The way of the data through one step, as the page draws it: blocks in columns and rows, and lines with the columns
/// of the recording whose values stand on them.
nlohmann::json stepDiagram(const Scene& scene, const std::vector<Column>& columns);

}  // namespace footfall::studio

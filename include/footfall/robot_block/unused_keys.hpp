#pragma once

#include <string>
#include <vector>

#include "footfall/block/diagram.hpp"
#include "footfall/scene/scene.hpp"

namespace footfall {

/// What a scene says about its robot and no block of its diagram does, as warnings: in a diagram of one's own, `pushes`
/// act by a block `Pushes`, and not by themselves. None for diagrams without a block `Robot`.
std::vector<std::string> unusedKeys(const Scene& scene, const Diagram& diagram);

}  // namespace footfall

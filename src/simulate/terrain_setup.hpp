#pragma once

#include <memory>

#include "footfall/model_io/scene.hpp"
#include "footfall/terrain/terrain.hpp"

namespace footfall {

/// All surfaces of a scene as one ground; throws Error with the place of the surface in the scene.
std::shared_ptr<const Terrain> buildTerrain(const Scene& scene);

}  // namespace footfall

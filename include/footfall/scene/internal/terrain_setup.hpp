#pragma once

#include <memory>

#include "footfall/scene/scene.hpp"
#include "footfall/terrain/moving_terrain.hpp"

namespace footfall {

/// All surfaces of a scene as one ground; throws Error with the place of the surface in the scene.
std::shared_ptr<const Terrain> buildTerrain(const Scene& scene);

/// How one surface moves; it may not move at all.
Motion buildMotion(const SceneGround& ground);

/// One surface at rest, without belt.
std::shared_ptr<const Terrain> buildGround(const SceneGround& ground);

}  // namespace footfall

#include "footfall/scene/internal/terrain_setup.hpp"

#include <fmt/format.h>

#include "footfall/base/error.hpp"
#include "footfall/terrain/moving_terrain.hpp"
#include "footfall/terrain/terrain_group.hpp"
#include "footfall/terrain/terrain_plugin.hpp"
#include "scene/grounds/ground_kind.hpp"
#include "scene/time_law_setup.hpp"

namespace footfall {
namespace {

using Surface = std::shared_ptr<const Terrain>;

/// A belt runs on the ground, and with it where the ground moves.
Surface buildSurface(const SceneGround& ground) {
  Surface surface = buildGround(ground);
  if (!ground.conveyor.law.kind.empty())
    surface = std::make_shared<Conveyor>(surface, ground.conveyor.direction, buildTimeFunction(ground.conveyor.law));
  if (!ground.translations.empty() || !ground.rotations.empty())
    surface = std::make_shared<MovingTerrain>(surface, buildMotion(ground));
  return surface;
}

Surface buildSurfaceOfScene(const SceneGround& ground) {
  try {
    return buildSurface(ground);
  } catch (const Error& e) {
    throw Error(ground.where, fmt::format("{}: {}", e.where(), e.problem()), e.hint());
  }
}

}  // namespace

std::shared_ptr<const Terrain> buildGround(const SceneGround& ground) {
  if (const GroundKind* kind = findGroundKind(ground.shape)) return kind->build(ground);
  return makeTerrain(ground.shape, {poseOf(ground), materialOf(ground), ground.parameters, {}});
}

Motion buildMotion(const SceneGround& ground) {
  std::vector<Motion::Translation> translations;
  for (const SceneTranslation& t : ground.translations) translations.push_back({t.direction, buildTimeFunction(t.law)});
  std::vector<Motion::Rotation> rotations;
  for (const SceneRotation& r : ground.rotations) rotations.push_back({r.axis, r.point, buildTimeFunction(r.law)});
  return {std::move(translations), std::move(rotations)};
}

std::shared_ptr<const Terrain> buildTerrain(const Scene& scene) {
  const Surface first = buildSurfaceOfScene(scene.ground);
  if (scene.more_ground.empty()) return first;
  std::vector<Surface> surfaces = {first};
  for (const SceneGround& ground : scene.more_ground) surfaces.push_back(buildSurfaceOfScene(ground));
  return std::make_shared<TerrainGroup>(std::move(surfaces));
}

}  // namespace footfall

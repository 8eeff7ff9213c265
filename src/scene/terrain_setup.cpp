#include "footfall/scene/internal/terrain_setup.hpp"

#include <fmt/format.h>

#include <cmath>

#include "footfall/base/error.hpp"
#include "footfall/base/internal/read_text.hpp"
#include "footfall/terrain/box.hpp"
#include "footfall/terrain/formula.hpp"
#include "footfall/terrain/height_field.hpp"
#include "footfall/terrain/moving_terrain.hpp"
#include "footfall/terrain/terrain_group.hpp"
#include "footfall/terrain/terrain_plugin.hpp"
#include "scene/time_law_setup.hpp"

namespace footfall {
namespace {

using Surface = std::shared_ptr<const Terrain>;

Material materialOf(const SceneGround& ground) { return {ground.friction, ground.restitution}; }

Pose poseOf(const SceneGround& ground) { return {rotationFromRollPitchYaw(ground.rpy), ground.position}; }

Surface buildPlane(const SceneGround& ground) {
  // The normal leans towards the side on which the plane descends.
  const Vector3d normal(std::sin(ground.incline) * std::cos(ground.heading),
                        std::sin(ground.incline) * std::sin(ground.heading), std::cos(ground.incline));
  return std::make_shared<Plane>(ground.point, normal, materialOf(ground));
}

Surface buildStairs(const SceneGround& ground) {
  constexpr std::uint64_t kMostSteps = 10'000;
  if (ground.steps > kMostSteps)
    throw Error(ground.where, fmt::format("ground.steps is {}, expected 1 to {}", ground.steps, kMostSteps));
  Stairs stairs;
  stairs.X_WS = poseOf(ground);
  stairs.number = static_cast<int>(ground.steps);
  stairs.rise = ground.rise;
  stairs.run = ground.run;
  stairs.width = ground.width;
  stairs.landing = ground.landing;
  stairs.material = materialOf(ground);
  return std::make_shared<TerrainGroup>(makeStairs(stairs));
}

Surface buildShape(const SceneGround& ground) {
  if (ground.shape == "box") return std::make_shared<Box>(poseOf(ground), ground.size, materialOf(ground));
  if (ground.shape == "stairs") return buildStairs(ground);
  if (ground.shape == "height_field")
    return std::make_shared<HeightField>(buildHeightMap(ground), ground.position, materialOf(ground));
  if (ground.shape == "plane") return buildPlane(ground);
  return makeTerrain(ground.shape, {poseOf(ground), materialOf(ground), ground.parameters, {}});
}

/// A belt runs on the ground, and with it where the ground moves.
Surface buildSurface(const SceneGround& ground) {
  Surface surface = buildShape(ground);
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

Motion buildMotion(const SceneGround& ground) {
  std::vector<Motion::Translation> translations;
  for (const SceneTranslation& t : ground.translations) translations.push_back({t.direction, buildTimeFunction(t.law)});
  std::vector<Motion::Rotation> rotations;
  for (const SceneRotation& r : ground.rotations) rotations.push_back({r.axis, r.point, buildTimeFunction(r.law)});
  return {std::move(translations), std::move(rotations)};
}

std::shared_ptr<const HeightMap> buildHeightMap(const SceneGround& ground) {
  if (!ground.formula.empty()) return std::make_shared<FormulaMap>(ground.formula, ground.size_x, ground.size_y);
  const Interpolation interpolation =
      ground.interpolation == "bilinear" ? Interpolation::bilinear : Interpolation::bicubic;
  return std::make_shared<HeightGrid>(parseHeights(readText(ground.file), ground.file), ground.cell, ground.scale,
                                      interpolation);
}

std::shared_ptr<const Terrain> buildTerrain(const Scene& scene) {
  const Surface first = buildSurfaceOfScene(scene.ground);
  if (scene.more_ground.empty()) return first;
  std::vector<Surface> surfaces = {first};
  for (const SceneGround& ground : scene.more_ground) surfaces.push_back(buildSurfaceOfScene(ground));
  return std::make_shared<TerrainGroup>(std::move(surfaces));
}

}  // namespace footfall

#include <fmt/format.h>

#include "footfall/base/error.hpp"
#include "footfall/terrain/box.hpp"
#include "footfall/terrain/terrain_group.hpp"
#include "scene/grounds/ground_kind.hpp"

namespace footfall {
namespace {

constexpr std::uint64_t kMostStairs = 10'000;

Field<SceneGround> stepsField() {
  return {"steps", "of the stairs", R"("type": "integer", "minimum": 1)",
          [](const SceneValue& value, SceneGround& ground) {
            ground.steps = readCount(value);
            if (ground.steps < 1 || ground.steps > kMostStairs)
              throw value.error(fmt::format("is {}, expected 1 to {}", ground.steps, kMostStairs));
          }};
}

std::shared_ptr<const Terrain> buildStairs(const SceneGround& ground) {
  if (ground.steps > kMostStairs)
    throw Error(ground.where, fmt::format("ground.steps is {}, expected 1 to {}", ground.steps, kMostStairs));
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

}  // namespace

GroundKind stairsGround() {
  using enum Quantity;
  return {
      "stairs",
      {
          stepsField(),
          numberField("rise", &SceneGround::rise, length, positive(), "stairs: of one step [m]"),
          numberField("run", &SceneGround::run, length, positive(), "stairs: depth of one tread [m]"),
          numberField("width", &SceneGround::width, length, positive(), "stairs: across [m]"),
          numberField("landing", &SceneGround::landing, length, atLeast(0.0), "stairs: added to the last tread [m]"),
      },
      {"position", "rpy"},
      {},
      buildStairs};
}

}  // namespace footfall

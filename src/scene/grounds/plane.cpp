#include <cmath>
#include <numbers>

#include "scene/grounds/ground_kind.hpp"

namespace footfall {
namespace {

// A little more than π, so that "180 deg" is never refused for its rounding.
constexpr double kHalfTurn = std::numbers::pi * (1.0 + 1e-12);

/// It leans towards the side on which the plane descends.
Vector3d normalOf(const SceneGround& ground) {
  return {std::sin(ground.incline) * std::cos(ground.heading), std::sin(ground.incline) * std::sin(ground.heading),
          std::cos(ground.incline)};
}

std::shared_ptr<const Terrain> buildPlane(const SceneGround& ground) {
  return std::make_shared<Plane>(ground.point, normalOf(ground), materialOf(ground));
}

/// A belt runs along its plane: upwards, it would run nowhere.
void checkPlane(const SceneValue& value, const SceneGround& ground) {
  constexpr double kSquare = 1e-6;  // as a Conveyor has it
  const bool turns = !ground.rotations.empty();
  if (ground.conveyor.where.empty() || turns) return;
  if (ground.conveyor.direction.normalized().cross(normalOf(ground)).norm() < kSquare)
    throw value.keyError("conveyor", "runs along the normal of the plane: nothing would move",
                         "a direction along it, such as [1, 0, 0]");
}

}  // namespace

GroundKind planeGround() {
  using enum Quantity;
  return {"plane",
          {
              vectorField("point", &SceneGround::point, length, "plane: a point of it [m]"),
              numberField("incline", &SceneGround::incline, angle, between(0.0, kHalfTurn),
                          "plane: angle to the horizontal [rad]"),
              numberField("heading", &SceneGround::heading, angle, {},
                          "plane: direction of descent, about the world's z [rad]"),
          },
          {},
          checkPlane,
          buildPlane};
}

}  // namespace footfall

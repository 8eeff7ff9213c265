#include <cmath>
#include <numbers>

#include "scene/grounds/ground_kind.hpp"

namespace footfall {
namespace {

// A little more than π, so that "180 deg" is never refused for its rounding.
constexpr double kHalfTurn = std::numbers::pi * (1.0 + 1e-12);

std::shared_ptr<const Terrain> buildPlane(const SceneGround& ground) {
  // The normal leans towards the side on which the plane descends.
  const Vector3d normal(std::sin(ground.incline) * std::cos(ground.heading),
                        std::sin(ground.incline) * std::sin(ground.heading), std::cos(ground.incline));
  return std::make_shared<Plane>(ground.point, normal, materialOf(ground));
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
          {},
          buildPlane};
}

}  // namespace footfall

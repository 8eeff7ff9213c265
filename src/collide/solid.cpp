#include "footfall/collide/solid.hpp"

#include <cmath>

namespace footfall::collide {
namespace {

Polytope coreOf(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::point:
    case ShapeKind::sphere:
      return pointPolytope(Vector3d::Zero());
    case ShapeKind::capsule:
      if (shape.half_length == 0.0) return pointPolytope(Vector3d::Zero());
      return segmentPolytope({0.0, 0.0, -shape.half_length}, {0.0, 0.0, shape.half_length});
    case ShapeKind::box:
      return boxPolytope(shape.half_size);
    case ShapeKind::hull:
      return hullPolytope(shape.vertices);
    case ShapeKind::cylinder:
    case ShapeKind::circle:
      break;
  }
  return {};
}

/// How far a solid reaches from the origin of S along the axes of the world.
Vector3d reachOfRound(const Solid& solid, const Vector3d& axis_W) {
  Vector3d reach;
  for (int i = 0; i < 3; ++i) {
    const double along = std::min(std::abs(axis_W[i]), 1.0);
    reach[i] = solid.half_length * along + solid.radius * std::sqrt(1.0 - along * along);
  }
  return reach;
}

}  // namespace

Solid makeSolid(const Shape& shape) {
  Solid solid;
  solid.kind = shape.kind;
  solid.X_LS = shape.X_LS;
  solid.radius = shape.radius;
  solid.half_length = shape.half_length;
  solid.core = coreOf(shape);
  solid.bound_S = {shape.X_LS.inverse() * shape.bound.centre, shape.bound.radius};
  const AxisAlignedBox box = boundsOf(Placed{&solid, Pose{}});
  solid.box_centre_S = 0.5 * (box.lower + box.upper);
  solid.box_half_S = 0.5 * (box.upper - box.lower);
  return solid;
}

Placed place(const Solid& solid, const Pose& X_WL, std::uint32_t key) {
  Placed placed;
  placed.solid = &solid;
  placed.X_WS = X_WL * solid.X_LS;
  placed.centre_W = placed.X_WS * solid.bound_S.centre;
  placed.key = key;
  return placed;
}

AxisAlignedBox boundsOf(const Placed& placed, double margin) {
  const Solid& solid = *placed.solid;
  const Pose& X = placed.X_WS;
  const auto around = [&](const Vector3d& reach) {
    const Vector3d wide = (reach.array() + margin).matrix();
    return AxisAlignedBox{X.p - wide, X.p + wide};
  };
  if (solid.isRound()) return around(reachOfRound(solid, X.R.col(2)));
  if (solid.kind == ShapeKind::box) return around(X.R.cwiseAbs() * solid.core.vertices.back());
  AxisAlignedBox box = {X * solid.core.vertices[0], X * solid.core.vertices[0]};
  for (const Vector3d& vertex : solid.core.vertices) {
    const Vector3d p = X * vertex;
    box.lower = box.lower.cwiseMin(p);
    box.upper = box.upper.cwiseMax(p);
  }
  box.lower.array() -= solid.radius + margin;
  box.upper.array() += solid.radius + margin;
  return box;
}

AxisAlignedBox roughBoundsOf(const Placed& placed, double margin) {
  const Solid& solid = *placed.solid;
  const Vector3d centre = placed.X_WS * solid.box_centre_S;
  const Vector3d reach = (placed.X_WS.R.cwiseAbs() * solid.box_half_S).array() + margin;
  return {centre - reach, centre + reach};
}

}  // namespace footfall::collide

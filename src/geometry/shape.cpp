#include "footfall/geometry/shape.hpp"

#include <fmt/format.h>

#include <cmath>

#include "footfall/base/error.hpp"

namespace footfall {
namespace {

void checkSize(double size, const char* name, const char* kind) {
  if (size > 0.0 && std::isfinite(size)) return;
  throw Error(fmt::format("{} shape", kind), fmt::format("{} is {}, expected a positive length", name, size));
}

Shape makeShape(ShapeKind kind, const Pose& X_LS, double bounding_radius) {
  Shape shape;
  shape.kind = kind;
  shape.X_LS = X_LS;
  shape.bound = {X_LS.p, bounding_radius};
  return shape;
}

}  // namespace

Shape pointShape(const Pose& X_LS) { return makeShape(ShapeKind::point, X_LS, 0.0); }

Shape sphereShape(const Pose& X_LS, double radius) {
  checkSize(radius, "radius", "sphere");
  Shape shape = makeShape(ShapeKind::sphere, X_LS, radius);
  shape.radius = radius;
  return shape;
}

Shape capsuleShape(const Pose& X_LS, double radius, double length) {
  checkSize(radius, "radius", "capsule");
  if (length != 0.0) checkSize(length, "length", "capsule");
  Shape shape = makeShape(ShapeKind::capsule, X_LS, radius + 0.5 * length);
  shape.radius = radius;
  shape.half_length = 0.5 * length;
  return shape;
}

Shape cylinderShape(const Pose& X_LS, double radius, double length) {
  checkSize(radius, "radius", "cylinder");
  checkSize(length, "length", "cylinder");
  Shape shape = makeShape(ShapeKind::cylinder, X_LS, std::hypot(radius, 0.5 * length));
  shape.radius = radius;
  shape.half_length = 0.5 * length;
  return shape;
}

Shape circleShape(const Pose& X_LS, double radius) {
  checkSize(radius, "radius", "circle");
  Shape shape = makeShape(ShapeKind::circle, X_LS, radius);
  shape.radius = radius;
  return shape;
}

Shape boxShape(const Pose& X_LS, const Vector3d& size) {
  for (double side : size) checkSize(side, "side", "box");
  Shape shape = makeShape(ShapeKind::box, X_LS, 0.5 * size.norm());
  shape.half_size = 0.5 * size;
  return shape;
}

Shape hullShape(const Pose& X_LS, std::vector<Vector3d> vertices) {
  if (vertices.empty()) throw Error("hull shape", "it has no vertices");
  for (const Vector3d& vertex : vertices)
    if (!vertex.allFinite()) throw Error("hull shape", "a vertex is not finite");
  const BoundingSphere bound_S = boundingSphere(vertices);
  Shape shape = makeShape(ShapeKind::hull, X_LS, bound_S.radius);
  shape.bound.centre = X_LS * bound_S.centre;
  shape.vertices = std::move(vertices);
  return shape;
}

}  // namespace footfall

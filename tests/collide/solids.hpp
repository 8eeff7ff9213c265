#pragma once

#include <cmath>
#include <vector>

#include "footfall/collide/manifold.hpp"
#include "footfall/geometry/shape.hpp"
#include "geometry/random_points.hpp"

namespace footfall::collide {

/// A shape at a place, with what the tests want to know about it; computed from the shape alone, so that the module
/// is not its own witness.
struct Body {
  Shape shape;
  Solid solid;
  Pose X_WL;

  Body(const Shape& s, const Pose& X) : shape(s), solid(makeSolid(s)), X_WL(X) {}

  Placed placed(std::uint32_t key = 0) const { return place(solid, X_WL, key); }
  Pose X_WS() const { return X_WL * shape.X_LS; }

  /// How far the body reaches along a direction of the world.
  double reach(const Vector3d& direction_W) const {
    const Vector3d d = X_WS().R.transpose() * direction_W;
    double most = 0.0;
    switch (shape.kind) {
      case ShapeKind::point:
      case ShapeKind::sphere:
        most = shape.radius * d.norm();
        break;
      case ShapeKind::capsule:
        most = shape.radius * d.norm() + shape.half_length * std::abs(d.z());
        break;
      case ShapeKind::cylinder:
      case ShapeKind::circle:
        most = shape.radius * std::hypot(d.x(), d.y()) + shape.half_length * std::abs(d.z());
        break;
      case ShapeKind::box:
        most = shape.half_size.dot(d.cwiseAbs());
        break;
      case ShapeKind::hull:
        most = d.dot(shape.vertices[0]);
        for (const Vector3d& v : shape.vertices) most = std::max(most, d.dot(v));
        break;
    }
    return most + direction_W.dot(X_WS().p);
  }
};

/// How far apart two bodies are along a direction: a lower bound of their distance, and minus the depth that any
/// motion along it has to undo.
inline double separationAlong(const Vector3d& normal_W, const Body& a, const Body& b) {
  return -a.reach(-normal_W) - b.reach(normal_W);
}

/// How far a point lies outside of a body, as directions tell that are tried one by one (a lower bound); ≤ 0 inside.
inline double outside(const Vector3d& p_W, const Body& body, RandomPoints& random, int tries = 200) {
  double most = -1.0;
  for (int i = 0; i < tries; ++i) {
    const Vector3d direction = random.direction();
    most = std::max(most, direction.dot(p_W) - body.reach(direction));
  }
  return most;
}

inline std::vector<ManifoldPoint> manifoldOf(const Body& a, const Body& b, double margin) {
  Scratch scratch;
  std::vector<ManifoldPoint> points;
  manifold(a.placed(1), b.placed(2), margin, scratch, points);
  return points;
}

inline double leastGap(const std::vector<ManifoldPoint>& points) {
  double least = std::numeric_limits<double>::infinity();
  for (const ManifoldPoint& point : points) least = std::min(least, point.gap);
  return least;
}

inline Pose at(double x, double y, double z) { return {Matrix3d::Identity(), {x, y, z}}; }
inline Pose turned(double angle, const Vector3d& axis, const Vector3d& p = Vector3d::Zero()) {
  return {Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix(), p};
}

inline Body box(const Vector3d& size, const Pose& X) { return {boxShape({}, size), X}; }
inline Body sphere(double radius, const Pose& X) { return {sphereShape({}, radius), X}; }
inline Body capsule(double radius, double length, const Pose& X) { return {capsuleShape({}, radius, length), X}; }
inline Body cylinder(double radius, double length, const Pose& X) { return {cylinderShape({}, radius, length), X}; }

inline std::vector<Vector3d> cornersOfBox(const Vector3d& size) {
  std::vector<Vector3d> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back(0.5 * size.cwiseProduct(Vector3d(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  return corners;
}

/// A shape of some kind with sides of some ten centimetres, somewhere in its link.
inline Shape randomShape(ShapeKind kind, RandomPoints& random) {
  const Pose X_LS = {random.rotation(), random.inBox(0.1)};
  const auto length = [&] { return random.number(0.02, 0.2); };
  switch (kind) {
    case ShapeKind::point:
      return pointShape(X_LS);
    case ShapeKind::sphere:
      return sphereShape(X_LS, length());
    case ShapeKind::capsule:
      return capsuleShape(X_LS, length(), 2.0 * length());
    case ShapeKind::cylinder:
      return cylinderShape(X_LS, length(), 2.0 * length());
    case ShapeKind::circle:
      return circleShape(X_LS, length());
    case ShapeKind::box:
      return boxShape(X_LS, 2.0 * Vector3d(length(), length(), length()));
    case ShapeKind::hull:
      break;
  }
  std::vector<Vector3d> points = random.onSphere(4 + static_cast<int>(random.number(0.0, 20.0)));
  const Vector3d scale(length(), length(), length());
  for (Vector3d& p : points) p = p.cwiseProduct(scale);
  return hullShape(X_LS, points);
}

/// Two bodies at a random place near each other, such that about a half of them overlap.
struct RandomPair {
  Body a, b;

  RandomPair(ShapeKind kind_a, ShapeKind kind_b, RandomPoints& random, double spread = 0.3)
      : a(randomShape(kind_a, random), {random.rotation(), random.inBox(1.0)}),
        b(randomShape(kind_b, random), {random.rotation(), Vector3d::Zero()}) {
    b.X_WL.p = a.X_WS().p + random.inBox(spread) - b.X_WL.R * b.shape.X_LS.p;
  }
};

}  // namespace footfall::collide

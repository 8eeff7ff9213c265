#include "footfall/collide/ray.hpp"

#include <algorithm>
#include <cmath>

namespace footfall::collide {
namespace {

/// The part of a ray that lies in a convex set: the set is cut down part by part.
class Stretch {
 public:
  Stretch(const Vector3d& origin, const Vector3d& direction, double reach)
      : origin_(origin), direction_(direction), reach_(reach), to_(reach) {}

  /// Where it begins; the reach where nothing is left.
  double entry() const { return from_ <= to_ ? from_ : reach_; }

  /// Keeps what has normal · x ≤ offset.
  void cutByPlane(const Vector3d& normal, double offset) {
    cutByHalfLine(normal.dot(direction_), offset - normal.dot(origin_));
  }

  /// Keeps what has |z| ≤ half.
  void cutBySlab(double half) {
    cutByPlane(Vector3d::UnitZ(), half);
    cutByPlane(-Vector3d::UnitZ(), half);
  }

  void cutByBall(const Vector3d& centre, double radius) { cutByRound(origin_ - centre, direction_, radius); }

  /// About z, without ends.
  void cutByTube(double radius) {
    const Vector3d across(1.0, 1.0, 0.0);
    cutByRound(origin_.cwiseProduct(across), direction_.cwiseProduct(across), radius);
  }

 private:
  /// Keeps what has slope · t ≤ room.
  void cutByHalfLine(double slope, double room) {
    if (slope > 0.0)
      to_ = std::min(to_, room / slope);
    else if (slope < 0.0)
      from_ = std::max(from_, room / slope);
    else if (room < 0.0)
      to_ = -1.0;
  }

  /// Keeps what has |p + t d| ≤ radius. From the point of the ray that is nearest to the centre, which loses no digits
  /// where the ray begins far away.
  void cutByRound(const Vector3d& p, const Vector3d& d, double radius) {
    const double speed_squared = d.squaredNorm();
    if (speed_squared == 0.0) {
      if (p.norm() > radius) to_ = -1.0;
      return;
    }
    const double nearest = -p.dot(d) / speed_squared;
    const double distance = (p + nearest * d).norm();
    if (distance > radius) {
      to_ = -1.0;
      return;
    }
    const double half = std::sqrt((radius - distance) * (radius + distance) / speed_squared);
    from_ = std::max(from_, nearest - half);
    to_ = std::min(to_, nearest + half);
  }

  Vector3d origin_, direction_;
  double reach_;
  double from_ = 0.0, to_;
};

double alongPolytope(const Polytope& core, Stretch ray) {
  for (const Polytope::Face& face : core.faces) ray.cutByPlane(face.normal, face.offset);
  if (core.dimension == 2)
    for (const Polytope::Edge& edge : core.edges)
      ray.cutByPlane(-edge.inward[0], -edge.inward[0].dot(core.vertices[edge.ends[0]]));
  return ray.entry();
}

/// A tube and two balls: whichever the ray enters first.
double alongCapsule(const Solid& solid, const Stretch& ray) {
  Stretch tube = ray;
  tube.cutByTube(solid.radius);
  tube.cutBySlab(solid.half_length);
  double nearest = tube.entry();
  for (const double end : {-solid.half_length, solid.half_length}) {
    Stretch ball = ray;
    ball.cutByBall({0.0, 0.0, end}, solid.radius);
    nearest = std::min(nearest, ball.entry());
  }
  return nearest;
}

}  // namespace

double rayDistance(const Solid& solid, const Vector3d& origin_S, const Vector3d& direction_S, double reach) {
  Stretch ray(origin_S, direction_S, reach);
  switch (solid.kind) {
    case ShapeKind::point:
      return reach;
    case ShapeKind::sphere:
      ray.cutByBall(Vector3d::Zero(), solid.radius);
      return ray.entry();
    case ShapeKind::capsule:
      return alongCapsule(solid, ray);
    case ShapeKind::cylinder:
    case ShapeKind::circle:
      ray.cutByTube(solid.radius);
      ray.cutBySlab(solid.kind == ShapeKind::circle ? 0.0 : solid.half_length);
      return ray.entry();
    case ShapeKind::box:
    case ShapeKind::hull:
      return solid.core.dimension < 2 ? reach : alongPolytope(solid.core, ray);
  }
  return reach;
}

double rayDistance(const Placed& placed, const Vector3d& origin_W, const Vector3d& direction_W, double reach) {
  const Matrix3d R_SW = placed.X_WS.R.transpose();
  return rayDistance(*placed.solid, R_SW * (origin_W - placed.X_WS.p), R_SW * direction_W, reach);
}

}  // namespace footfall::collide

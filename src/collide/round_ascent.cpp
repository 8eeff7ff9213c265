#include "collide/round_ascent.hpp"

#include <Eigen/Cholesky>
#include <cmath>

namespace footfall::collide {
namespace {

/// How the farthest point of a rim moves when the direction turns: along the rim, by this vector squared.
Vector3d slideOfRim(const Round& round, const Vector3d& normal) {
  const Vector3d radial = round.across(normal);
  const double length = radial.norm();
  if (length < 1e-9) return Vector3d::Zero();
  return std::sqrt(round.radius / length) / length * round.axis.cross(radial);
}

bool looksAlongAxis(const Round& round, const Vector3d& normal) { return round.across(normal).norm() < 1e-7; }

/// Along its axis a whole cap is farthest: the point of it that is nearest to another.
Vector3d farthestNear(const Round& round, const Vector3d& direction, const Vector3d& other) {
  const Vector3d middle = round.rimMiddle(direction.dot(round.axis) > 0.0);
  const Vector3d radial = round.across(other - middle);
  const double length = radial.norm();
  return middle + (length > round.radius ? round.radius / length : 1.0) * radial;
}

/// From the farthest point of the second to that of the first.
Vector3d betweenFarthest(const Round& first, const Round& second, const Vector3d& normal) {
  Vector3d p = first.farthest(-normal), q = second.farthest(normal);
  if (looksAlongAxis(second, normal))
    q = farthestNear(second, normal, looksAlongAxis(first, normal) ? first.middle : p);
  if (looksAlongAxis(first, normal)) p = farthestNear(first, -normal, q);
  return p - q;
}

}  // namespace

Vector3d ascend(const Round& first, const Round& second, Vector3d normal, double size) {
  constexpr int kMostSteps = 40;
  double separation = separationOf(first, second, normal);
  for (int i = 0; i < kMostSteps; ++i) {
    const Vector3d apart = betweenFarthest(first, second, normal);
    const Vector3d uphill = apart - normal.dot(apart) * normal;
    if (uphill.norm() <= 1e-16 * size) break;
    const Vector3d a = slideOfRim(first, normal), b = slideOfRim(second, normal);
    // Minus the Hessian on the sphere; in the direction of the normal anything that is positive will do.
    Matrix3d curvature = a * a.transpose() + b * b.transpose() + size * normal * normal.transpose();
    curvature.diagonal().array() += separation;
    Eigen::LLT<Matrix3d> factor(curvature);
    if (factor.info() != Eigen::Success) {  // inside each other, and no summit: a way up, by as much as it bends up
      curvature.diagonal().array() += 1e-12 * size - 2.0 * separation;
      factor.compute(curvature);
    }
    // On the axis of one there is a kink: only the steepest way is sure to lead up.
    const bool on_axis = looksAlongAxis(first, normal) || looksAlongAxis(second, normal);
    const Vector3d step = on_axis ? Vector3d(uphill / size) : Vector3d(factor.solve(uphill));
    bool improved = false;
    for (double share = 1.0; share > 1e-9 && !improved; share *= 0.25) {
      const Vector3d turned = (normal + share * step).normalized();
      const double there = separationOf(first, second, turned);
      if (there <= separation) continue;
      improved = true;
      normal = turned;
      separation = there;
    }
    if (!improved) break;
  }
  return normal;
}

Vector3d approach(const Round& first, const Round& second, Vector3d normal) {
  Vector3d p = first.farthest(-normal);
  for (int i = 0; i < 5; ++i) {
    const Round::WayOut from_second = second.wayOut(p);
    if (from_second.distance <= 0.0) break;
    normal = from_second.direction;
    const Vector3d q = p - from_second.distance * normal;
    const Round::WayOut from_first = first.wayOut(q);
    if (from_first.distance <= 0.0) break;
    normal = -from_first.direction;
    p = q + from_first.distance * normal;
  }
  return normal;
}

}  // namespace footfall::collide

#pragma once

#include <algorithm>

#include "footfall/spatial/pose.hpp"

namespace footfall {

inline double distanceToSegment(const Vector3d& p, const Vector3d& a, const Vector3d& b) {
  const Vector3d ab = b - a;
  const double length2 = ab.squaredNorm();
  const double share = length2 > 0.0 ? std::clamp((p - a).dot(ab) / length2, 0.0, 1.0) : 0.0;
  return (a + share * ab - p).norm();
}

/// Above the inside of the triangle its plane is nearest, elsewhere one of its edges.
inline double distanceToTriangle(const Vector3d& p, const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  const Vector3d normal = (b - a).cross(c - a);
  const bool above_inside = (b - a).cross(p - a).dot(normal) >= 0.0 && (c - b).cross(p - b).dot(normal) >= 0.0 &&
                            (a - c).cross(p - c).dot(normal) >= 0.0 && normal.squaredNorm() > 0.0;
  if (above_inside) return std::abs((p - a).dot(normal.normalized()));
  return std::min({distanceToSegment(p, a, b), distanceToSegment(p, b, c), distanceToSegment(p, c, a)});
}

}  // namespace footfall

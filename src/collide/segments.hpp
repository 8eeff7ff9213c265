#pragma once

#include "footfall/spatial/pose.hpp"

namespace footfall::collide {

/// The nearest points p = p0 + s (p1 - p0) and q = q0 + t (q1 - q0) of two segments.
struct NearestOfSegments {
  Vector3d p, q;
  double s, t;  ///< in [0, 1]
};

NearestOfSegments nearestOfSegments(const Vector3d& p0, const Vector3d& p1, const Vector3d& q0, const Vector3d& q1);

/// Where a point lies along a segment: 0 at its start, 1 at its end; beyond them, too.
inline double alongSegment(const Vector3d& point, const Vector3d& from, const Vector3d& to) {
  const Vector3d direction = to - from;
  const double squared = direction.squaredNorm();
  return squared > 0.0 ? direction.dot(point - from) / squared : 0.0;
}

}  // namespace footfall::collide

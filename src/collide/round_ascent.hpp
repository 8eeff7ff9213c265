#pragma once

#include "collide/round.hpp"

namespace footfall::collide {

/// How far two round solids are apart along a direction from the second to the first.
inline double separationOf(const Round& first, const Round& second, const Vector3d& normal) {
  return -first.reach(-normal) - second.reach(normal);
}

/// Turns a direction until it separates two round solids best, rim against rim, by Newton's method on the sphere.
Vector3d ascend(const Round& first, const Round& second, Vector3d normal, double size);

/// A direction to start from: from the farthest point of one solid to the nearest of the other, and back again. As long
/// as they are apart that comes nearer and nearer to the nearest points.
Vector3d approach(const Round& first, const Round& second, Vector3d normal);

}  // namespace footfall::collide

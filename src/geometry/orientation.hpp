#pragma once

#include "footfall/spatial/pose.hpp"

namespace footfall {

/// The side of the plane through a, b, c that p lies on: +1 where the triangle turns counter-clockwise, -1 on the
/// other, 0 in the plane. Exact for all doubles whose products neither overflow nor underflow.
int orientation(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& p);

}  // namespace footfall

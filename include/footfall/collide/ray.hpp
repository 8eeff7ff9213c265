#pragma once

#include "footfall/collide/solid.hpp"

namespace footfall::collide {

/// How far a ray goes until it enters a solid, 0 where it begins inside, `reach` where it does not meet it within that
/// [m]. A flat polygon and a circle, which is taken for a disc, are entered where they are crossed. Points are never
/// met.
/// @param origin_S [m], and a direction of length one, both in the frame of the shape
double rayDistance(const Solid& solid, const Vector3d& origin_S, const Vector3d& direction_S, double reach);

/// The same for a ray in the world.
double rayDistance(const Placed& placed, const Vector3d& origin_W, const Vector3d& direction_W, double reach);

}  // namespace footfall::collide

#pragma once

#include "footfall/collide/manifold.hpp"

namespace footfall::collide {

/// True where `a` slides past `b` and not into it, although they come nearer to each other at this point. What slides
/// from one body onto the next one, of the same height to rounding, has the side of the next one in front of it, and is
/// deeper than its upper face by as little as a resting contact. A face of either that has the point on its border says
/// so: the other touches its plane from outside, and stays there.
/// @param way_W of a's point relative to that of b, until the end of the step [m]
bool passes(const Placed& a, const Placed& b, const ManifoldPoint& point, const Vector3d& way_W);

}  // namespace footfall::collide

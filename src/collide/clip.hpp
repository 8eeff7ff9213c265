#pragma once

#include "collide/separation.hpp"

namespace footfall::collide {

/// Points of the incident core above (or below) a face of the reference core, in lists.polygon: the corners of the
/// incident face where it is clipped by the sides of the reference face, and all other vertices that are within
/// `reach` of it. Projected along the normal every one of them lies in the reference face.
void clipAgainstFace(const Pair& pair, const FaceAxis& axis, double reach, Scratch::Lists& lists);

/// Height above the reference face, which is the distance between the cores there [m].
double heightAbove(const Pair& pair, const FaceAxis& axis, const Vector3d& p_C);

}  // namespace footfall::collide

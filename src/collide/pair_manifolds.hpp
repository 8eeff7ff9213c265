#pragma once

#include "collide/pair.hpp"

namespace footfall::collide {

// Contact points by the kinds of the two solids, in their canonical order: round ones, points, segments, polytopes.
// Each returns a direction along which the two are farther apart than the margin, where it has seen one; else zero.

/// Of spheres and capsules with each other.
Vector3d addSegmentPoints(const Pair& pair, PointWriter& writer);

/// Where at least one core has faces.
Vector3d addPolytopePoints(const Pair& pair, Scratch::Lists& lists, PointWriter& writer);

/// Of a cylinder or circle with something that has a core.
Vector3d addRoundPoints(const Pair& pair, Scratch::Lists& lists, PointWriter& writer);

/// Of cylinders and circles with each other.
Vector3d addRoundPairPoints(const Pair& pair, PointWriter& writer);

}  // namespace footfall::collide

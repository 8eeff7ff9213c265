#pragma once

#include "collide/pair.hpp"

namespace footfall::collide {

// Contact points by the kinds of the two solids, in their canonical order: points, segments, round ones, polytopes.

/// Of spheres and capsules with each other.
void addSegmentPoints(const Pair& pair, PointWriter& writer);

/// Where at least one core has faces.
void addPolytopePoints(const Pair& pair, Scratch::Lists& lists, PointWriter& writer);

}  // namespace footfall::collide

#pragma once

#include "collide/pair.hpp"

namespace footfall::collide {

// Contact points by the kinds of the two solids, in their canonical order: round ones, points, segments, polytopes.

/// Of spheres and capsules with each other.
void addSegmentPoints(const Pair& pair, PointWriter& writer);

/// Where at least one core has faces.
void addPolytopePoints(const Pair& pair, Scratch::Lists& lists, PointWriter& writer);

/// Of a cylinder or circle with something that has a core.
void addRoundPoints(const Pair& pair, Scratch::Lists& lists, PointWriter& writer);

/// Of cylinders and circles with each other.
void addRoundPairPoints(const Pair& pair, PointWriter& writer);

}  // namespace footfall::collide

#pragma once

#include <array>
#include <limits>
#include <span>
#include <vector>

#include "footfall/spatial/pose.hpp"

namespace footfall {

/// The smallest convex body around some points, or a simpler one inside it.
struct ConvexHull {
  int dimension = 3;                      ///< 0: a point, 1: a segment, 2: a polygon, 3: a solid
  std::vector<Vector3d> vertices;         ///< points of the input, the most important ones first [m]
  std::vector<std::array<int, 3>> faces;  ///< counter-clockwise seen from outside; both sides of a polygon; none below
  double error = 0.0;                     ///< how far the farthest input point lies outside [m]

  double volume() const;  ///< [m³]
  double area() const;    ///< of all faces; a polygon counts twice [m²]
};

struct HullSettings {
  /// No more vertices than this (at least 4).
  int max_vertices = std::numeric_limits<int>::max();
  /// Points that lie less than this outside need not become vertices; never less than rounding asks for [m]
  double tolerance = 0.0;
};

/// The hull of points, built farthest point first: at every moment the point that lies farthest outside of the hull so
/// far becomes a vertex. Stopping early therefore gives a good hull with few vertices; its `error` is the Hausdorff
/// distance to the full one, and so bounds how far their support functions differ.
///
/// Duplicates, points on a line or in a plane and flat faces with any number of points in them are all fine; the same
/// points give the same hull, bit for bit and in whatever order they come. Time grows with points × vertices.
ConvexHull convexHull(std::span<const Vector3d> points, const HullSettings& settings = {});

}  // namespace footfall

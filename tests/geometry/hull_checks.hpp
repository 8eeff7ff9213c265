#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <vector>

#include "footfall/geometry/convex_hull.hpp"

namespace footfall {

/// How far the points reach along a direction.
inline double support(std::span<const Vector3d> points, const Vector3d& direction) {
  double reach = -std::numeric_limits<double>::infinity();
  for (const Vector3d& p : points) reach = std::max(reach, direction.dot(p));
  return reach;
}

inline double sizeOf(std::span<const Vector3d> points) {
  Vector3d lower = points[0], upper = points[0];
  for (const Vector3d& p : points) {
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
  }
  return (upper - lower).norm();
}

/// The largest distance of a point above the plane of a face.
inline double largestExcess(const ConvexHull& hull, std::span<const Vector3d> points) {
  double excess = 0.0;
  for (const auto& [a, b, c] : hull.faces) {
    using Extended = Eigen::Matrix<long double, 3, 1>;  // thin faces would lose their normal in double
    const Extended pa = hull.vertices[a].cast<long double>();
    const Extended normal =
        (hull.vertices[b].cast<long double>() - pa).cross(hull.vertices[c].cast<long double>() - pa).normalized();
    for (const Vector3d& p : points)
      excess = std::max(excess, static_cast<double>(normal.dot(p.cast<long double>() - pa)));
  }
  return excess;
}

/// Every edge belongs to two faces, once in each direction, and the surface is that of a ball.
inline void expectClosedSurface(const ConvexHull& hull) {
  std::map<std::pair<int, int>, int> edges;
  for (const auto& [a, b, c] : hull.faces) {
    ++edges[{a, b}];
    ++edges[{b, c}];
    ++edges[{c, a}];
  }
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1);
    EXPECT_TRUE(edges.count({edge.second, edge.first}));
  }
  EXPECT_EQ(hull.vertices.size() - edges.size() / 2 + hull.faces.size(), 2u) << "Euler's formula";
}

inline bool lessByCoordinates(const Vector3d& a, const Vector3d& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

inline std::vector<Vector3d> sorted(std::vector<Vector3d> points) {
  std::sort(points.begin(), points.end(), lessByCoordinates);
  return points;
}

}  // namespace footfall

#include "footfall/geometry/convex_hull.hpp"

#include <algorithm>

#include "footfall/base/error.hpp"
#include "geometry/hull_builder.hpp"
#include "geometry/point_distance.hpp"

namespace footfall {
namespace {

using Points = std::span<const Vector3d>;

/// Each point once: in STL files every vertex comes as often as it has triangles.
std::vector<Vector3d> distinct(Points points) {
  const auto less = [](const Vector3d& a, const Vector3d& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  };
  std::vector<Vector3d> sorted(points.begin(), points.end());
  std::sort(sorted.begin(), sorted.end(), less);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

/// Differences below this are noise of the coordinates and of the planes through them [m].
double roundingOf(Points points) {
  Vector3d lower = points[0], upper = points[0];
  for (const Vector3d& p : points) {
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
  }
  const double coordinates = std::max(lower.cwiseAbs().maxCoeff(), upper.cwiseAbs().maxCoeff());
  return 1e-10 * (upper - lower).norm() + 1e-15 * coordinates;
}

/// The point with the largest value; of values that rounding cannot tell apart, the one farthest from `centre`: that is
/// always a corner of the set.
template <class Value>
int largest(Points points, const Vector3d& centre, double rounding, Value value) {
  double best = 0.0;
  for (const Vector3d& p : points) best = std::max(best, value(p));
  int chosen = 0;
  double chosen_reach = -1.0;
  for (int i = 0; i < static_cast<int>(points.size()); ++i) {
    const double reach = (points[i] - centre).squaredNorm();
    if (reach <= chosen_reach || value(points[i]) < best - rounding) continue;
    chosen = i;
    chosen_reach = reach;
  }
  return chosen;
}

/// Corners of the largest simplex that is easily found, as many as the set has dimensions plus one.
std::vector<int> firstSimplex(Points points, double rounding) {
  Vector3d mean = Vector3d::Zero();
  for (const Vector3d& p : points) mean += p / static_cast<double>(points.size());
  const int i0 = largest(points, mean, 0.0, [](const Vector3d&) { return 0.0; });
  const Vector3d a = points[i0];
  const auto add = [&](std::vector<int>& corners, auto&& distance) {
    const int next = largest(points, a, rounding, distance);
    if (distance(points[next]) > rounding) corners.push_back(next);
  };
  std::vector<int> corners = {i0};
  add(corners, [&](const Vector3d& p) { return (p - a).norm(); });
  if (corners.size() < 2) return corners;
  const Vector3d along = (points[corners[1]] - a).normalized();
  add(corners, [&](const Vector3d& p) { return (p - a).cross(along).norm(); });
  if (corners.size() < 3) return corners;
  const Vector3d normal = (points[corners[2]] - a).cross(along).normalized();
  add(corners, [&](const Vector3d& p) { return std::abs((p - a).dot(normal)); });
  return corners;
}

/// The surface as it is now, without the faces at `apex`.
ConvexHull extract(const HullBuilder& builder, Points points, int apex = -1) {
  std::vector<int> number(points.size(), -1);
  for (const HullBuilder::Face& face : builder.faces())
    for (int vertex : face.vertices)
      if (face.alive && vertex != apex) number[vertex] = 0;
  ConvexHull hull;
  for (int point : builder.order()) {
    if (number[point] < 0) continue;  // rounding has made it an inner point
    number[point] = static_cast<int>(hull.vertices.size());
    hull.vertices.push_back(points[point]);
  }
  for (const HullBuilder::Face& face : builder.faces()) {
    const auto [a, b, c] = face.vertices;
    if (face.alive && a != apex && b != apex && c != apex) hull.faces.push_back({number[a], number[b], number[c]});
  }
  hull.error = builder.error();
  return hull;
}

void grow(HullBuilder& builder, int max_vertices, double tolerance) {
  while (builder.vertexCount() < max_vertices) {
    if (builder.farthest() <= tolerance) return;
    builder.addFarthest();
  }
}

ConvexHull solidHull(Points points, const std::vector<int>& corners, double rounding, const HullSettings& settings) {
  HullBuilder builder(points, {corners[0], corners[1], corners[2], corners[3]}, rounding);
  grow(builder, settings.max_vertices, std::max(rounding, settings.tolerance));
  return extract(builder, points);
}

/// Points in a plane are the base of a very tall pyramid; its sides are all but upright, so that the distance to them
/// is the distance in the plane.
ConvexHull planarHull(Points points, const std::vector<int>& corners, double rounding, const HullSettings& settings) {
  constexpr double kHeight = 1000.0;
  std::vector<Vector3d> pyramid(points.begin(), points.end());
  const Vector3d &a = points[corners[0]], &b = points[corners[1]], &c = points[corners[2]];
  const Vector3d normal = (b - a).cross(c - a).normalized();
  const int apex = static_cast<int>(pyramid.size());
  pyramid.push_back((a + b + c) / 3.0 + kHeight * (b - a).norm() * normal);

  HullBuilder builder(pyramid, {corners[0], corners[1], corners[2], apex}, rounding);
  const bool limited = settings.max_vertices < std::numeric_limits<int>::max();
  grow(builder, settings.max_vertices + (limited ? 1 : 0), std::max(rounding, settings.tolerance));
  ConvexHull hull = extract(builder, pyramid, apex);
  hull.dimension = 2;
  const std::size_t one_side = hull.faces.size();
  for (std::size_t i = 0; i < one_side; ++i) {
    const auto [from, to, last] = hull.faces[i];
    hull.faces.push_back({to, from, last});
  }
  return hull;
}

ConvexHull pointOrSegment(Points points, const std::vector<int>& corners) {
  ConvexHull hull;
  hull.dimension = static_cast<int>(corners.size()) - 1;
  for (int corner : corners) hull.vertices.push_back(points[corner]);
  for (const Vector3d& p : points)
    hull.error = std::max(hull.error, distanceToSegment(p, hull.vertices.front(), hull.vertices.back()));
  return hull;
}

}  // namespace

double ConvexHull::volume() const {
  double six_volumes = 0.0;
  for (const auto& [a, b, c] : faces) {
    const Vector3d& origin = vertices[0];
    six_volumes += (vertices[a] - origin).dot((vertices[b] - origin).cross(vertices[c] - origin));
  }
  return six_volumes / 6.0;
}

double ConvexHull::area() const {
  double area = 0.0;
  for (const auto& [a, b, c] : faces) area += 0.5 * (vertices[b] - vertices[a]).cross(vertices[c] - vertices[a]).norm();
  return area;
}

ConvexHull convexHull(std::span<const Vector3d> points, const HullSettings& settings) {
  if (points.empty()) throw Error("convex hull", "there are no points");
  if (settings.max_vertices < 4) throw Error("convex hull", "max_vertices is less than 4, which a solid needs");
  for (const Vector3d& p : points)
    if (!p.allFinite()) throw Error("convex hull", "a point is not finite");
  const std::vector<Vector3d> once = distinct(points);
  const double rounding = roundingOf(once);
  const std::vector<int> corners = firstSimplex(once, rounding);
  if (corners.size() == 4) return solidHull(once, corners, rounding, settings);
  if (corners.size() == 3) return planarHull(once, corners, rounding, settings);
  return pointOrSegment(once, corners);
}

}  // namespace footfall

// Hulls with a limited number of vertices: what the error that they report means.

#include <gtest/gtest.h>

#include <cmath>

#include "footfall/geometry/convex_hull.hpp"
#include "geometry/hull_checks.hpp"
#include "geometry/random_points.hpp"

namespace footfall {
namespace {

/// A body with round and flat parts, like a foot.
std::vector<Vector3d> bodyPoints() {
  RandomPoints random(11);
  std::vector<Vector3d> points;
  for (const Vector3d& d : random.onSphere(3000)) {
    Vector3d p = d.cwiseProduct(Vector3d(0.12, 0.05, 0.06));
    p.z() = std::max(p.z(), -0.02);
    points.push_back(p);
  }
  return points;
}

TEST(LimitedHull, KeepsTheLimitAndItsErrorBoundsTheSupport) {
  const std::vector<Vector3d> points = bodyPoints();
  RandomPoints random(12);
  for (int limit : {4, 5, 8, 16, 64, 200}) {
    const ConvexHull hull = convexHull(points, {.max_vertices = limit});
    EXPECT_EQ(static_cast<int>(hull.vertices.size()), limit);
    expectClosedSurface(hull);
    EXPECT_GT(hull.error, 0.0);
    for (int i = 0; i < 1000; ++i) {
      const Vector3d direction = random.direction();
      const double missing = support(points, direction) - support(hull.vertices, direction);
      EXPECT_GE(missing, -1e-12) << "the simpler hull lies inside the full one";
      EXPECT_LE(missing, hull.error + 1e-12);
    }
  }
}

TEST(LimitedHull, ErrorIsTheDistanceOfTheFarthestPointLeftOut) {
  // A tetrahedron, and a point at a known distance over an edge, where no face is nearest.
  const std::vector<Vector3d> points = {{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}, {0, 0, 1.25}};
  const ConvexHull hull = convexHull(points, {.max_vertices = 4});
  EXPECT_NEAR(hull.error, 0.25, 1e-15)
      << "the edge from (1, 1, 1) to (-1, -1, 1) is nearest, not the planes of its faces";
}

TEST(LimitedHull, ErrorFallsAsVerticesAreAdded) {
  const std::vector<Vector3d> points = bodyPoints();
  double last = std::numeric_limits<double>::infinity();
  for (int limit = 8; limit <= 512; limit *= 4) {
    const double error = convexHull(points, {.max_vertices = limit}).error;
    EXPECT_LT(error, 0.5 * last);  // like 1/n for smooth bodies
    last = error;
  }
  EXPECT_LT(convexHull(points, {.max_vertices = 64}).error, 0.005) << "64 vertices describe a foot to 5 mm";
}

TEST(LimitedHull, StopsAtTheTolerance) {
  const std::vector<Vector3d> points = bodyPoints();
  const ConvexHull coarse = convexHull(points, {.tolerance = 1e-3}), full = convexHull(points);
  EXPECT_LT(coarse.vertices.size(), full.vertices.size() / 4);
  // The tolerance holds for distances to planes; beside a sharp edge the true distance is a little larger.
  EXPECT_LT(coarse.error, 2e-3);
  EXPECT_GT(coarse.error, 0.0);
}

TEST(LimitedHull, OfAPlanarSetKeepsTheLimitToo) {
  std::vector<Vector3d> points;
  for (int i = 0; i < 256; ++i)
    points.emplace_back(0.1 * std::cos(i * M_PI / 128), 0.1 * std::sin(i * M_PI / 128), 0.3);
  const ConvexHull hull = convexHull(points, {.max_vertices = 16});
  EXPECT_EQ(hull.dimension, 2);
  EXPECT_EQ(hull.vertices.size(), 16u);
  // Farthest first is within a factor of the best: the arrow of an arc of 1/8 of the circle bounds it.
  EXPECT_LE(hull.error, 0.1 * (1.0 - std::cos(M_PI / 8)));
  EXPECT_GE(hull.error, 0.1 * (1.0 - std::cos(M_PI / 16)) - 1e-12) << "no polygon with 16 corners is nearer";
}

}  // namespace
}  // namespace footfall

#include "footfall/geometry/convex_hull.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "footfall/base/error.hpp"
#include "geometry/hull_checks.hpp"
#include "geometry/random_points.hpp"
#include "model/error_of.hpp"

namespace footfall {
namespace {

std::vector<Vector3d> cubeCorners() {
  std::vector<Vector3d> corners;
  for (int i = 0; i < 8; ++i) corners.emplace_back(i & 1 ? 1.0 : 0.0, i & 2 ? 1.0 : 0.0, i & 4 ? 1.0 : 0.0);
  return corners;
}

/// A regular grid of n³ points in the unit cube: every side holds n² points in one plane, every edge n on one line.
std::vector<Vector3d> cubeGrid(int n) {
  std::vector<Vector3d> grid;
  for (int x = 0; x < n; ++x)
    for (int y = 0; y < n; ++y)
      for (int z = 0; z < n; ++z) grid.push_back(Vector3d(x, y, z) / (n - 1.0));
  return grid;
}

TEST(ConvexHull, OfACubeWithPointsInsideHasEightCorners) {
  std::vector<Vector3d> points = cubeCorners();
  RandomPoints random(1);
  for (int i = 0; i < 500; ++i) points.push_back(Vector3d::Constant(0.5) + random.inBox(0.5));
  const ConvexHull hull = convexHull(points);
  EXPECT_EQ(hull.dimension, 3);
  EXPECT_EQ(hull.vertices.size(), 8u);
  EXPECT_EQ(hull.faces.size(), 12u);
  EXPECT_NEAR(hull.volume(), 1.0, 1e-14);
  EXPECT_NEAR(hull.area(), 6.0, 1e-14);
  EXPECT_EQ(hull.error, 0.0);
  expectClosedSurface(hull);
}

TEST(ConvexHull, OfAGridKeepsOnlyTheCornersHoweverItIsTurned) {
  RandomPoints random(2);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Vector3d> points = cubeGrid(9);
    const Matrix3d R = trial == 0 ? Matrix3d::Identity() : random.rotation();
    for (Vector3d& p : points) p = R * p + Vector3d(0.3, -0.2, 5.0);
    const ConvexHull hull = convexHull(points);
    EXPECT_EQ(hull.vertices.size(), 8u) << "points in a side or on an edge are no corners, trial " << trial;
    EXPECT_NEAR(hull.volume(), 1.0, 1e-9);
    EXPECT_NEAR(hull.area(), 6.0, 1e-9);
    expectClosedSurface(hull);
  }
}

TEST(ConvexHull, OfPointsOnASphereKeepsThemAllAndApproachesTheBall) {
  RandomPoints random(3);
  const std::vector<Vector3d> points = random.onSphere(2000);
  const ConvexHull hull = convexHull(points);
  EXPECT_EQ(hull.vertices.size(), 2000u);
  EXPECT_EQ(hull.faces.size(), 2u * 2000 - 4) << "Euler, all faces triangles";
  expectClosedSurface(hull);
  // A random inscribed polyhedron with n vertices misses a share of about 10/n of the ball.
  const double ball = 4.0 / 3.0 * M_PI;
  EXPECT_LT(hull.volume(), ball);
  EXPECT_GT(hull.volume(), ball * (1.0 - 20.0 / 2000));
}

TEST(ConvexHull, ContainsEveryPoint) {
  RandomPoints random(4);
  for (int trial = 0; trial < 40; ++trial) {
    std::vector<Vector3d> points;
    // Boxes of very different sides, so that some hulls are needles and some are plates.
    const Vector3d stretch(1.0, std::pow(10.0, random.number(-6.0, 0.0)), std::pow(10.0, random.number(-6.0, 0.0)));
    const Matrix3d R = random.rotation();
    for (int i = 0; i < 400; ++i) points.push_back(R * stretch.cwiseProduct(random.inBox(1.0)));
    const ConvexHull hull = convexHull(points);
    EXPECT_LT(largestExcess(hull, points), 1e-9 * sizeOf(points)) << "trial " << trial;
    EXPECT_LE(hull.error, 1e-9 * sizeOf(points));
    expectClosedSurface(hull);
  }
}

TEST(ConvexHull, ReachesAsFarAsThePointsInEveryDirection) {
  RandomPoints random(5);
  std::vector<Vector3d> points;
  for (int i = 0; i < 3000; ++i) points.push_back(random.inBox(0.2).cwiseProduct(Vector3d(1.0, 0.3, 2.0)));
  const ConvexHull hull = convexHull(points);
  EXPECT_LT(hull.vertices.size(), 500u);
  for (int i = 0; i < 1000; ++i) {
    const Vector3d direction = random.direction();
    EXPECT_NEAR(support(hull.vertices, direction), support(points, direction), 1e-9 * sizeOf(points));
  }
}

TEST(ConvexHull, OfAHullIsTheSame) {
  RandomPoints random(6);
  std::vector<Vector3d> points;
  for (int i = 0; i < 1000; ++i) points.push_back(random.inBox(1.0));
  const ConvexHull once = convexHull(points), twice = convexHull(once.vertices);
  EXPECT_EQ(sorted(once.vertices), sorted(twice.vertices));
  EXPECT_NEAR(once.volume(), twice.volume(), 1e-14);
}

TEST(ConvexHull, IsTheSameBitForBitInWhateverOrderThePointsCome) {
  RandomPoints random(7);
  const std::vector<Vector3d> points = random.onSphere(300);
  const std::vector<Vector3d> reversed(points.rbegin(), points.rend());
  const ConvexHull a = convexHull(points), b = convexHull(reversed);
  EXPECT_EQ(a.vertices, b.vertices);
  EXPECT_EQ(a.faces, b.faces);
}

TEST(ConvexHull, OfDuplicatesKeepsEachCornerOnce) {
  std::vector<Vector3d> points;
  for (int copy = 0; copy < 5; ++copy)
    for (const Vector3d& corner : cubeCorners()) points.push_back(corner);
  const ConvexHull hull = convexHull(points);
  EXPECT_EQ(sorted(hull.vertices), sorted(cubeCorners()));
}

TEST(ConvexHull, OfAPlanarSetIsAPolygonWithTwoSides) {
  RandomPoints random(8);
  for (int trial = 0; trial < 10; ++trial) {
    const Pose X{random.rotation(), random.inBox(3.0)};
    std::vector<Vector3d> points;
    for (int i = 0; i <= 20; ++i)
      for (int k = 0; k <= 20; ++k) points.push_back(X * Vector3d(0.1 * i, 0.05 * k, 0.0));
    const ConvexHull hull = convexHull(points);
    EXPECT_EQ(hull.dimension, 2);
    EXPECT_EQ(hull.vertices.size(), 4u);
    EXPECT_NEAR(hull.area(), 2 * 2.0 * 1.0, 1e-9);
    EXPECT_NEAR(hull.volume(), 0.0, 1e-9);
    for (int i = 0; i < 100; ++i) {
      const Vector3d direction = random.direction();
      EXPECT_NEAR(support(hull.vertices, direction), support(points, direction), 1e-9 * sizeOf(points));
    }
  }
}

TEST(ConvexHull, OfACircleInAPlaneKeepsTheWholeCircle) {
  std::vector<Vector3d> points = {Vector3d(0.0, 0.0, 1.0)};
  for (int i = 0; i < 100; ++i) points.emplace_back(std::cos(i * M_PI / 50), std::sin(i * M_PI / 50), 1.0);
  const ConvexHull hull = convexHull(points);
  EXPECT_EQ(hull.dimension, 2);
  EXPECT_EQ(hull.vertices.size(), 100u);
  EXPECT_NEAR(hull.area(), 2.0 * 50.0 * std::sin(M_PI / 50), 1e-9) << "both sides of a polygon with 100 corners";
}

TEST(ConvexHull, OfALineIsItsTwoEnds) {
  std::vector<Vector3d> points;
  for (int i = 0; i <= 100; ++i) points.push_back(Vector3d(1.0, 2.0, 3.0) + 0.01 * i * Vector3d(3.0, -1.0, 0.7));
  const ConvexHull hull = convexHull(points);
  EXPECT_EQ(hull.dimension, 1);
  EXPECT_EQ(sorted(hull.vertices), sorted({points.front(), points.back()}));
  EXPECT_LT(hull.error, 1e-14);
  EXPECT_TRUE(hull.faces.empty());
}

TEST(ConvexHull, OfOnePointManyTimesIsThatPoint) {
  const std::vector<Vector3d> points(50, Vector3d(0.1, 0.2, 0.3));
  const ConvexHull hull = convexHull(points);
  EXPECT_EQ(hull.dimension, 0);
  EXPECT_EQ(hull.vertices, std::vector<Vector3d>{points[0]});
}

TEST(ConvexHull, OfAFlatCylinderWithNoiseOfSinglePrecisionIsClosed) {
  RandomPoints random(9);
  for (int trial = 0; trial < 20; ++trial) {
    const Matrix3d R = random.rotation();
    std::vector<Vector3d> points;
    for (int ring = 1; ring <= 10; ++ring)
      for (int i = 0; i < 120; ++i)
        for (double z : {0.0, 0.02}) {
          const double radius = 0.01 * ring, angle = i * M_PI / 60;
          const Vector3d p = R * Vector3d(radius * std::cos(angle), radius * std::sin(angle), z);
          points.push_back(p.cast<float>().cast<double>());
        }
    const ConvexHull hull = convexHull(points);
    expectClosedSurface(hull);
    EXPECT_LT(largestExcess(hull, points), 1e-9 * sizeOf(points)) << "trial " << trial;
    // 120-sided prism; single precision moves its points by up to 1e-8 m.
    EXPECT_NEAR(hull.volume(), 60 * 0.01 * std::sin(M_PI / 60) * 0.02, 1e-8);
  }
}

TEST(ConvexHull, OfPlatesWithNoiseJustAboveRoundingIsClosedAndContainsAll) {
  RandomPoints random(10);
  for (double noise : {1e-12, 1e-10, 3e-10, 1e-9, 1e-8, 1e-6}) {
    for (int trial = 0; trial < 10; ++trial) {
      std::vector<Vector3d> points = cubeGrid(8);
      const Matrix3d R = random.rotation();
      for (Vector3d& p : points) p = R * (p + random.inBox(noise)).cwiseProduct(Vector3d(1.0, 1.0, 1e-3));
      const ConvexHull hull = convexHull(points);
      expectClosedSurface(hull);
      EXPECT_LT(largestExcess(hull, points), 1e-9 * sizeOf(points)) << "noise " << noise << ", trial " << trial;
      EXPECT_NEAR(hull.volume(), 1e-3, 1e-2 * noise + 1e-12) << "six sides, each moved by the noise at most";
    }
  }
}

TEST(ConvexHull, IsBuiltFarthestPointFirst) {
  RandomPoints random(13);
  std::vector<Vector3d> points;
  for (int i = 0; i < 300; ++i) points.push_back(random.inBox(1.0));
  const std::vector<Vector3d> vertices = convexHull(points).vertices;
  for (std::size_t k = 4; k < vertices.size(); ++k) {
    const ConvexHull before = convexHull(std::span(vertices).first(k));
    const double chosen = largestExcess(before, std::span(vertices).subspan(k, 1));
    EXPECT_NEAR(chosen, largestExcess(before, points), 1e-9) << "vertex " << k;
  }
}

TEST(ConvexHull, RefusesNothingAndNonsense) {
  expectError("there are no points", [] { convexHull({}); });
  expectError("a point is not finite", [] { convexHull(std::vector<Vector3d>{Vector3d(0.0, NAN, 0.0)}); });
  expectError("max_vertices is less than 4", [] { convexHull(cubeCorners(), {.max_vertices = 3}); });
}

}  // namespace
}  // namespace footfall

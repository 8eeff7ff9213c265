// Cylinders and circles: closed forms of where they touch.

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "collide/round.hpp"
#include "collide/solids.hpp"

namespace footfall::collide {
namespace {

using std::numbers::pi;

const Vector3d kUp = Vector3d::UnitZ();

Body table() { return box({4, 4, 1}, at(0, 0, -0.5)); }  // its top at z = 0

/// Along x, its lowest line at height `gap`.
Body lying(double radius, double length, double gap, double x = 0.0) {
  return cylinder(radius, length, turned(pi / 2, Vector3d::UnitY(), {x, 0, radius + gap}));
}

int countAt(const std::vector<ManifoldPoint>& points, const Vector3d& p_WB, double tolerance = 1e-12) {
  return static_cast<int>(std::ranges::count_if(
      points, [&](const ManifoldPoint& point) { return (point.p_WB - p_WB).norm() < tolerance; }));
}

TEST(CylinderOnBox, StandsOnItsRim) {
  for (const double gap : {0.002, 0.0, -0.001}) {
    const auto points = manifoldOf(cylinder(0.1, 0.4, at(0.3, 0.2, 0.2 + gap)), table(), 0.01);
    EXPECT_EQ(points.size(), 7u)
        << "six places of the rim, and its middle, which becomes its lowest point when it tilts";
    for (const ManifoldPoint& point : points) {
      EXPECT_EQ(point.normal_W, kUp);
      EXPECT_NEAR(point.gap, gap, 1e-15);
    }
    EXPECT_EQ(countAt(points, {0.4, 0.2, 0.0}), 1);
  }
}

TEST(CylinderOnBox, LiesOnItsLine) {
  const auto points = manifoldOf(lying(0.1, 0.4, 0.001), table(), 0.01);
  EXPECT_EQ(points.size(), 2u);
  for (const double x : {-0.2, 0.2}) EXPECT_EQ(countAt(points, {x, 0, 0}), 1);
  for (const ManifoldPoint& point : points) EXPECT_NEAR(point.gap, 0.001, 1e-15);
}

TEST(CylinderOnBox, ThatLiesOverTheEdgeIsClipped) {
  const auto points = manifoldOf(lying(0.1, 1.0, 0.0, 1.8), table(), 0.01);
  EXPECT_EQ(points.size(), 2u);
  EXPECT_EQ(countAt(points, {1.3, 0, 0}), 1);
  EXPECT_EQ(countAt(points, {2.0, 0, 0}), 1);
}

/// An edge whose faces lean by 20 and 70 degrees, and which is nearly as horizontal as the cap: both of its ends above
/// the cap are points of the cap, whichever of them is lower.
TEST(CylinderOnBox, ALeaningBoxLaysItsEdgeOntoACap) {
  constexpr double kRadius = 0.05, kBeside = 0.02, kLean = 20.0 / 180.0 * pi;
  const double end = std::sqrt(kRadius * kRadius - kBeside * kBeside);
  for (const double tilt : {-3e-3, -1e-4, 0.0, 1e-4, 3e-3}) {
    Body leaning = box({0.2, 1, 0.2}, at(0, 0, 0));
    leaning.X_WL.R = Eigen::AngleAxisd(tilt, Vector3d::UnitX()) * Eigen::AngleAxisd(kLean, Vector3d::UnitY());
    const Vector3d middle_of_edge_W(kBeside, 0, -2e-5 + std::abs(tilt) * end);  // 20 µm inside at its lower end
    leaning.X_WL.p = middle_of_edge_W - leaning.X_WL.R * Vector3d(0.1, 0, -0.1);
    const auto points = manifoldOf(leaning, cylinder(kRadius, 0.2, at(0, 0, -0.1)), 5e-4);
    for (const double y : {-end, end}) {
      const auto isThere = [&](const ManifoldPoint& point) {
        return (point.p_WB - Vector3d(kBeside, y, 0)).norm() < 1e-6 && point.normal_W.z() > 0.9999 &&
               std::abs(point.gap - (middle_of_edge_W.z() + y * std::sin(tilt))) < 1e-7;
      };
      EXPECT_TRUE(std::ranges::any_of(points, isThere)) << "tilt " << tilt << ", y " << y;
    }
  }
}

TEST(CylinderOnBox, TiltedTouchesWithTheLowestPointOfItsRim) {
  for (const double tilt : {1e-3, 0.1, 0.7, 1.2}) {
    const double radius = 0.1, half = 0.2;
    const double lowest = half * std::cos(tilt) + radius * std::sin(tilt);
    const auto points =
        manifoldOf(cylinder(radius, 2 * half, turned(tilt, Vector3d::UnitY(), {0, 0, lowest + 1e-5})), table(), 2e-5);
    ASSERT_GE(points.size(), 1u);
    EXPECT_NEAR(leastGap(points), 1e-5, 1e-14);
    const Vector3d expected(radius * std::cos(tilt) - half * std::sin(tilt), 0, 0);
    EXPECT_EQ(countAt(points, expected), 1) << points[0].p_WB.transpose();
  }
}

TEST(CylinderOnBox, WiderThanTheBoxStandsOnItsCorners) {
  const auto points = manifoldOf(cylinder(0.5, 0.4, at(0, 0, 0.2)), box({0.2, 0.2, 1}, at(0, 0, -0.5)), 0.01);
  for (const double x : {-0.1, 0.1})
    for (const double y : {-0.1, 0.1}) EXPECT_EQ(countAt(points, {x, y, 0}), 1);
  for (const ManifoldPoint& point : points) EXPECT_EQ(point.normal_W, kUp);
}

TEST(CylinderOnBox, ThatHangsOverTouchesWhereItsRimCrossesTheEdge) {
  const auto points = manifoldOf(cylinder(0.5, 0.4, at(1.7, 0, 0.2)), table(), 0.01);
  for (const double y : {-0.4, 0.4}) EXPECT_EQ(countAt(points, {2, y, 0}), 1);
  for (const ManifoldPoint& point : points) EXPECT_LE(point.p_WB.x(), 2.0 + 1e-12);
}

TEST(CylinderOnBox, ItsSideOnAnEdgeTouchesOnceOrAlongIt) {
  const Body ridge = box({1, 1, 1}, turned(pi / 4, Vector3d::UnitX(), {0, 0, -std::sqrt(0.5)}));  // along x, at z = 0
  const auto crossed =
      manifoldOf(cylinder(0.1, 1, turned(pi / 2, Vector3d::UnitX(), {0.2, 0.1, 0.1 - 1e-4})), ridge, 0.01);
  EXPECT_EQ(countAt(crossed, {0.2, 0, 0}), 1);
  EXPECT_EQ(crossed.size(), 1u);
  EXPECT_NEAR(leastGap(crossed), -1e-4, 1e-15);
  const auto parallel = manifoldOf(lying(0.1, 0.6, 1e-4, 0.3), ridge, 0.01);
  EXPECT_EQ(parallel.size(), 2u);
  for (const double x : {0.0, 0.5}) EXPECT_EQ(countAt(parallel, {x, 0, 0}), 1);
}

TEST(CylinderOnBox, ACornerBelowItsCapTouchesThere) {
  const Matrix3d R = Eigen::Quaterniond::FromTwoVectors(Vector3d(1, 1, 1), kUp).toRotationMatrix();
  const Body corner = box({1, 1, 1}, {R, {0, 0, -std::sqrt(0.75)}});
  const auto points = manifoldOf(cylinder(0.5, 0.4, at(0.1, 0.2, 0.2 - 1e-3)), corner, 0.01);
  ASSERT_GE(points.size(), 1u);
  EXPECT_NEAR(leastGap(points), -1e-3, 1e-14);
  EXPECT_EQ(countAt(points, {0, 0, 0}), 1);
}

TEST(Cylinders, OnOneAxisStandOnEachOther) {
  const auto points = manifoldOf(cylinder(0.1, 0.4, at(0, 0, 0.2)), cylinder(0.1, 0.4, at(0, 0, -0.2)), 0.01);
  EXPECT_EQ(points.size(), 7u);
  for (const ManifoldPoint& point : points) {
    EXPECT_EQ(point.normal_W, kUp);
    EXPECT_NEAR(point.gap, 0.0, 1e-15);
  }
}

TEST(Cylinders, BesideOneAxisTouchWhereTheirRimsCross) {
  const auto points = manifoldOf(cylinder(0.5, 0.4, at(0.6, 0, 0.2)), cylinder(0.5, 0.4, at(0, 0, -0.2)), 0.01);
  for (const double y : {-0.4, 0.4}) EXPECT_EQ(countAt(points, {0.3, y, 0}, 1e-9), 1);
  for (const ManifoldPoint& point : points) EXPECT_LE((point.p_WA - Vector3d(0.6, 0, 0)).norm(), 0.5 + 1e-9);
}

TEST(Cylinders, ParallelOnesTouchAlongALineAndCrossedOnesOnce) {
  const Body lower = lying(0.1, 1.0, -0.2);  // its highest line at z = 0
  const auto parallel = manifoldOf(lying(0.2, 1.0, 0.001, 0.4), lower, 0.01);
  EXPECT_EQ(parallel.size(), 2u);
  for (const double x : {-0.1, 0.5}) EXPECT_EQ(countAt(parallel, {x, 0, 0}), 1);
  const auto crossed =
      manifoldOf(cylinder(0.2, 1, turned(pi / 2, Vector3d::UnitX(), {0.1, 0.3, 0.2 - 0.001})), lower, 0.01);
  EXPECT_EQ(crossed.size(), 1u);
  EXPECT_NEAR(leastGap(crossed), -0.001, 1e-14);
  EXPECT_EQ(countAt(crossed, {0.1, 0, 0}), 1);
}

TEST(Cylinders, OneThatLiesOnTheOthersCapIsClipped) {
  const auto points = manifoldOf(lying(0.1, 1.0, 0.0, 0.3), cylinder(0.25, 1.0, at(0, 0, -0.5)), 0.01);
  EXPECT_EQ(points.size(), 2u);
  for (const double x : {-0.2, 0.25}) EXPECT_EQ(countAt(points, {x, 0, 0}), 1);
}

TEST(CapsuleAndCylinder, OnACapAndAlongTheSide) {
  const auto on_cap = manifoldOf(capsule(0.1, 1.0, turned(pi / 2, Vector3d::UnitY(), {0.4, 0, 0.1})),
                                 cylinder(0.25, 1.0, at(0, 0, -0.5)), 0.01);
  EXPECT_EQ(on_cap.size(), 2u);
  for (const double x : {-0.1, 0.25}) EXPECT_EQ(countAt(on_cap, {x, 0, 0}), 1);
  const auto along =
      manifoldOf(capsule(0.1, 1.0, turned(pi / 2, Vector3d::UnitY(), {0.4, 0, 0.101})), lying(0.2, 1.0, -0.4), 0.01);
  EXPECT_EQ(along.size(), 2u);
  for (const double x : {-0.1, 0.5}) EXPECT_EQ(countAt(along, {x, 0, 0}), 1);
}

TEST(SphereAndCylinder, CapSideRimAndInside) {
  const Body can = cylinder(1.0, 2.0, at(0, 0, 0));
  const auto gapAt = [&](const Vector3d& p) {
    const auto points = manifoldOf(sphere(0.5, {Matrix3d::Identity(), p}), can, 10.0);
    EXPECT_EQ(points.size(), 1u);
    return leastGap(points);
  };
  EXPECT_NEAR(gapAt({0.5, 0, 3}), 1.5, 1e-15);
  EXPECT_NEAR(gapAt({0, 3, 0.5}), 1.5, 1e-15);
  EXPECT_NEAR(gapAt({0, 4, 5}), 4.5, 1e-14);
  EXPECT_NEAR(gapAt({0, 0.9, 0.2}), -0.6, 1e-15);
  EXPECT_NEAR(gapAt({0, 0, 0.75}), -0.75, 1e-15);
}

TEST(Circle, ThatStandsTouchesOnceAndLiesOnItsRim) {
  const Body wheel(circleShape({}, 0.3), turned(pi / 2, Vector3d::UnitX(), {0.1, 0, 0.299}));
  const auto standing = manifoldOf(wheel, table(), 0.01);
  ASSERT_EQ(standing.size(), 1u);
  EXPECT_NEAR(standing[0].gap, -0.001, 1e-15);
  EXPECT_EQ(standing[0].normal_W, kUp);
  const auto flat = manifoldOf({circleShape({}, 0.3), at(0, 0, 0.001)}, table(), 0.01);
  EXPECT_EQ(flat.size(), 7u);
}

/// Axes that cross at 10°: one point where they cross, and the ends of the stretch, which a body that is hit there
/// turns onto. Each has the distance that it has: √(d² + (ℓ sin α)²) less the radii.
TEST(CylinderAndCapsule, ThatCrossAtASmallAngleTouchAtTheEndsTooWithinTheMargin) {
  const double radius = 0.05, half = 0.1, gap = 0.001, angle = 10.0 / 180.0 * pi, far = 2.0 * radius + gap;
  const Pose X_WC = turned(angle, Vector3d::UnitZ(), {0, 0, far}) * turned(pi / 2, Vector3d::UnitY(), {0, 0, 0});
  const Pose X_WA = turned(pi / 2, Vector3d::UnitY(), {0, 0, 0});
  const double beside = half * std::sin(angle);
  const double end = std::hypot(far, beside) - 2.0 * radius;
  for (const bool of_cylinder : {true, false}) {
    const Body lower = of_cylinder ? cylinder(radius, 2.0 * half, X_WA) : capsule(radius, 2.0 * half, X_WA);
    const Body upper = capsule(radius, 2.0 * half, X_WC);
    EXPECT_EQ(manifoldOf(lower, upper, 0.5 * (gap + end)).size(), 1u) << "the ends are beyond the margin";
    const auto points = manifoldOf(lower, upper, 0.01);
    EXPECT_NEAR(leastGap(points), gap, 1e-12);
    int ends = 0;
    for (const ManifoldPoint& point : points) {
      EXPECT_LT((point.p_WA - point.p_WB - point.gap * point.normal_W).norm(), 1e-12);
      if (std::abs(point.p_WB.x()) < 0.9 * half) continue;
      ++ends;
      EXPECT_NEAR(point.gap, end, 0.1 * (end - gap));
    }
    EXPECT_GE(ends, 2);
  }
}

/// Along the axis all of a cap is farthest, and rounding says that something is across: it lay a radius off the
/// cylinder.
TEST(Round, FarthestAlongItsAxisIsOnTheCap) {
  RandomPoints random(21);
  const Solid solid = makeSolid(cylinderShape({}, 0.1, 0.4));
  for (int k = 0; k < 200; ++k) {
    const Part part{solid, solid.core, {random.rotation(), random.inBox(1.0)}};
    const Round round(part);
    for (const double sign : {1.0, -1.0}) {
      const Vector3d p = round.farthest(sign * round.axis);
      EXPECT_LT(std::abs(round.wayOut(p).distance), 1e-12);
      EXPECT_NEAR(sign * round.axis.dot(p - round.middle), 0.2, 1e-12);
    }
  }
}

}  // namespace
}  // namespace footfall::collide

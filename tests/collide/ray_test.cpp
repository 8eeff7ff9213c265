#include "footfall/collide/ray.hpp"

#include <gtest/gtest.h>

#include "collide/solids.hpp"

namespace footfall::collide {
namespace {

constexpr double kReach = 3.0;

double castAt(const Body& body, const Vector3d& from, const Vector3d& direction, double reach = kReach) {
  return rayDistance(body.placed(), from, direction.normalized(), reach);
}

TEST(Ray, EntersEachKindWhereItsSurfaceIs) {
  const Pose X = at(1.0, 2.0, 0.5);
  const Vector3d down(0, 0, -1), along(1, 0, 0);
  EXPECT_NEAR(castAt(sphere(0.2, X), {1.1, 2, 2}, down), 1.5 - std::sqrt(0.03), 1e-15);
  EXPECT_NEAR(castAt(box({0.2, 0.4, 0.6}, X), {1.05, 2.1, 2}, down), 1.2, 1e-15);
  EXPECT_NEAR(castAt(capsule(0.1, 0.4, X), {1.06, 2, 2}, down), 1.5 - 0.2 - 0.08, 1e-15);
  EXPECT_NEAR(castAt(capsule(0.1, 0.4, X), {0, 2.06, 0.6}, along), 1.0 - 0.08, 1e-15);
  EXPECT_NEAR(castAt(cylinder(0.1, 0.4, X), {1.06, 2, 2}, down), 1.3, 1e-15);
  EXPECT_NEAR(castAt(cylinder(0.1, 0.4, X), {0, 2.06, 0.6}, along), 1.0 - 0.08, 1e-15);
  EXPECT_NEAR(castAt({circleShape({}, 0.1), X}, {1.06, 2, 2}, down), 1.5, 1e-15);
  EXPECT_EQ(castAt({circleShape({}, 0.1), X}, {1.11, 2, 2}, down), kReach);
  EXPECT_EQ(castAt({pointShape({}), X}, {1, 2, 2}, down), kReach) << "a point has no surface";
}

TEST(Ray, AFlatHullIsCrossedInsideOfItsEdgesOnly) {
  const Body plate({hullShape({}, {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}), at(0, 0, 0)});
  EXPECT_NEAR(castAt(plate, {0.9, -0.9, 1}, {0, 0, -1}), 1.0, 1e-15);
  EXPECT_NEAR(castAt(plate, {0.9, -0.9, -1}, {0, 0, 1}), 1.0, 1e-15);
  EXPECT_EQ(castAt(plate, {1.1, 0, 1}, {0, 0, -1}), kReach);
}

TEST(Ray, GoesNoWayFromInsideAndNoFartherThanItsReach) {
  const Body ball = sphere(0.5, at(0, 0, 0));
  EXPECT_EQ(castAt(ball, {0.1, 0.2, -0.3}, {1, 0, 0}), 0.0);
  EXPECT_EQ(castAt(ball, {2, 0, 0}, {-1, 0, 0}, 1.4), 1.4);
  EXPECT_EQ(castAt(ball, {2, 0, 0}, {1, 0, 0}), kReach) << "it lies behind";
}

TEST(Ray, FromFarAwayTheSurfaceIsFoundToRounding) {
  const double far = castAt(sphere(0.01, at(0, 0, 0)), {1e4, 0, 0}, {-1, 0, 0}, 1e5);
  EXPECT_NEAR(far, 1e4 - 0.01, 4e-12);  // two digits of 1e4
}

class RayOfKind : public testing::TestWithParam<ShapeKind> {};

/// Where a ray enters, a plane through that point has all of the body on its other side: the support function of the
/// body says so, and knows nothing of rays. Before that point the ray is outside.
TEST_P(RayOfKind, IsOutsideBeforeItEntersAndInsideBehind) {
  RandomPoints random(11);
  int met = 0;
  for (int k = 0; k < 400; ++k) {
    const Body body(randomShape(GetParam(), random), {random.rotation(), random.inBox(1.0)});
    const Vector3d centre = body.X_WS().p;
    const Vector3d from = centre + random.number(0.5, 1.0) * random.direction();
    const Vector3d direction = (centre + random.inBox(0.15) - from).normalized();
    const double distance = castAt(body, from, direction);
    if (distance == kReach) continue;
    ++met;
    const Vector3d surface = from + distance * direction;
    EXPECT_LE(outside(surface, body, random, 2000), 1e-12) << "the body reaches as far";
    const double before = 1e-4;  // [m]; a grain of dust there is still apart from the body
    const Body probe = sphere(1e-9, {Matrix3d::Identity(), from + (distance - before) * direction});
    EXPECT_GT(leastGap(manifoldOf(probe, body, 1.0)), -1e-12) << "it is not there yet";
  }
  EXPECT_GT(met, 50);
}

TEST_P(RayOfKind, MissesOnlyWhatItStaysApartFrom) {
  RandomPoints random(12);
  for (int k = 0; k < 200; ++k) {
    const Body body(randomShape(GetParam(), random), {random.rotation(), random.inBox(1.0)});
    const Vector3d from = body.X_WS().p + random.direction();
    const Vector3d direction = (body.X_WS().p + random.inBox(0.3) - from).normalized();
    if (castAt(body, from, direction) != kReach) continue;
    for (double t = 0.0; t < 2.0; t += 0.01) {
      const Body probe = sphere(1e-9, {Matrix3d::Identity(), from + t * direction});
      ASSERT_GT(leastGap(manifoldOf(probe, body, 5.0)), -2e-9) << "after " << t << " m";
    }
  }
}

std::string nameOf(const testing::TestParamInfo<ShapeKind>& kind) {
  constexpr const char* kNames[] = {"Point", "Sphere", "Capsule", "Cylinder", "Circle", "Box", "Hull"};
  return kNames[static_cast<int>(kind.param)];
}

INSTANTIATE_TEST_SUITE_P(All, RayOfKind,
                         testing::Values(ShapeKind::sphere, ShapeKind::capsule, ShapeKind::cylinder, ShapeKind::box,
                                         ShapeKind::hull),
                         nameOf);

}  // namespace
}  // namespace footfall::collide

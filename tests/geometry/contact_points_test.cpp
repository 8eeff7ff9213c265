#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "footfall/geometry/shape.hpp"
#include "geometry/hull_checks.hpp"
#include "geometry/random_points.hpp"
#include "model/error_of.hpp"

namespace footfall {
namespace {

std::vector<ContactPoint> pointsOf(const Shape& shape, const Vector3d& up_S,
                                   double ceiling = std::numeric_limits<double>::infinity()) {
  std::vector<ContactPoint> points(maxContactPoints(shape));
  points.resize(contactPoints(shape, up_S, points, ceiling));
  return points;
}

/// Where it touches a ground of that direction.
Vector3d lowestPlace(const ContactPoint& point, const Vector3d& up_S) {
  if (point.kind != ContactPoint::Kind::rim) return point.p_S - point.radius * up_S;
  return point.p_S + point.radius * towardsLowestPoint(Vector3d::UnitZ(), up_S);
}

double heightOf(const ContactPoint& point, const Vector3d& up_S) { return up_S.dot(lowestPlace(point, up_S)); }

double lowest(const std::vector<ContactPoint>& points, const Vector3d& up_S) {
  double height = std::numeric_limits<double>::infinity();
  for (const ContactPoint& point : points) height = std::min(height, heightOf(point, up_S));
  return height;
}

/// Up, in the frame of a shape whose z axis is tilted by `tilt` towards the heading `heading`.
Vector3d upWhenTilted(double tilt, double heading) {
  return {-std::sin(tilt) * std::cos(heading), -std::sin(tilt) * std::sin(heading), std::cos(tilt)};
}

TEST(ContactPoints, OfPointAndSphereAreTheirCentre) {
  const Vector3d up = Vector3d(1.0, 2.0, 3.0).normalized();
  EXPECT_EQ(lowest(pointsOf(pointShape({}), up), up), 0.0);
  EXPECT_NEAR(lowest(pointsOf(sphereShape({}, 0.2), up), up), -0.2, 1e-15) << "`up` has its length to rounding";
  EXPECT_EQ(pointsOf(sphereShape({}, 0.2), up).size(), 1u);
}

TEST(ContactPoints, OfACapsuleReachAsFarDownAsTheCapsule) {
  const Shape capsule = capsuleShape({}, 0.1, 0.6);
  RandomPoints random(31);
  for (int i = 0; i < 200; ++i) {
    const Vector3d up = random.direction();
    EXPECT_NEAR(lowest(pointsOf(capsule, up), up), -0.3 * std::abs(up.z()) - 0.1, 1e-15);
  }
  EXPECT_EQ(pointsOf(capsule, Vector3d::UnitX(), -0.1).size(), 2u) << "lying, it rests on both ends";
  EXPECT_EQ(pointsOf(capsule, Vector3d::UnitZ(), -0.1).size(), 1u) << "standing, on one";
}

TEST(ContactPoints, OfAFaceAreAroundTheLowestPointOfTheBall) {
  Shape sphere = sphereShape({}, 0.2);
  sphere.face = 0.01;
  ASSERT_EQ(maxContactPoints(sphere), kFacePoints);
  const std::vector<ContactPoint> points = pointsOf(sphere, Vector3d::UnitZ());
  ASSERT_EQ(static_cast<int>(points.size()), kFacePoints);
  Vector3d sum = Vector3d::Zero();
  for (int k = 0; k < kFacePoints; ++k) {
    EXPECT_EQ(points[k].feature, k);
    EXPECT_EQ(points[k].radius, 0.2);
    EXPECT_NEAR(points[k].face_C.norm(), 0.01, 1e-16);
    EXPECT_EQ(points[k].face_C.z(), 0.0);
    sum += points[k].face_C;
  }
  EXPECT_LT(sum.norm(), 1e-16);
  Shape capsule = capsuleShape({}, 0.1, 0.6);
  capsule.face = 0.01;
  EXPECT_EQ(static_cast<int>(pointsOf(capsule, Vector3d::UnitX()).size()), 2 * kFacePoints);
  EXPECT_EQ(pointsOf(capsule, Vector3d::UnitZ(), -0.1).back().feature, kFacePoints - 1) << "standing, on one end";
}

/// Force along x and moment of friction on a circle of points that turns with one and moves with u along x, in shares
/// of what they are at most.
Eigen::Vector2d frictionOfCircle(int points, double first_angle, double u) {
  Eigen::Vector2d sum = Eigen::Vector2d::Zero();
  for (int k = 0; k < points; ++k) {
    const double angle = first_angle + k * 2.0 * M_PI / points;
    const Eigen::Vector2d across(-std::sin(angle), std::cos(angle));
    const Eigen::Vector2d direction = (across + Eigen::Vector2d(u, 0.0)).normalized();
    sum += Eigen::Vector2d(direction.x(), direction.dot(across)) / points;
  }
  return sum;
}

// With n points terms below u^(n − 1) are those of the whole circle; where u nears one a point may stand still.
TEST(ContactFace, HasTheFrictionOfAWholeCircleWhereItTurnsFasterThanItSlides) {
  for (const auto& [u, tolerance] : {std::pair{0.1, 1e-5}, {0.2, 1e-4}, {0.5, 1e-2}}) {
    const Eigen::Vector2d circle = frictionOfCircle(3600, 0.01, u);
    for (int k = 0; k < 12; ++k)
      EXPECT_LT((frictionOfCircle(kFacePoints, 0.1 * k, u) - circle).norm(), tolerance) << u << " " << k;
    EXPECT_NEAR(circle.x(), 0.5 * u, 0.1 * u);
    EXPECT_GT((frictionOfCircle(3, 0.5, u) - circle).norm(), tolerance) << "three points are too few";
  }
}

TEST(ContactPoints, OfABoxAreItsCorners) {
  const Shape box = boxShape({}, {0.2, 0.4, 0.6});
  std::set<int> features;
  for (const ContactPoint& point : pointsOf(box, Vector3d::UnitZ())) {
    EXPECT_EQ(point.p_S.cwiseAbs(), Vector3d(0.1, 0.2, 0.3));
    EXPECT_EQ(point.radius, 0.0);
    features.insert(point.feature);
  }
  EXPECT_EQ(features, (std::set<int>{0, 1, 2, 3, 4, 5, 6, 7}));
  for (int axis = 0; axis < 3; ++axis)
    for (double side : {-1.0, 1.0}) {
      const Vector3d up = side * Vector3d::Unit(axis);
      const auto low = pointsOf(box, up, -box.half_size[axis]);
      EXPECT_EQ(low.size(), 4u) << "it stands on four corners";
      for (const ContactPoint& point : low) EXPECT_EQ(heightOf(point, up), -box.half_size[axis]);
    }
}

TEST(ContactPoints, OfATiltedCylinderContainTheLowestPointOfItsRim) {
  const double radius = 0.1, half_length = 0.25;
  const Shape cylinder = cylinderShape({}, radius, 2 * half_length);
  RandomPoints random(32);
  for (int i = 0; i < 500; ++i) {
    const double tilt = random.number(0.002, M_PI - 0.002), heading = random.number(-M_PI, M_PI);
    const Vector3d up = upWhenTilted(tilt, heading);
    // The body reaches down by l |cos| + r sin, where the axis points up: textbook support function of a cylinder.
    EXPECT_NEAR(lowest(pointsOf(cylinder, up), up), -half_length * std::abs(std::cos(tilt)) - radius * std::sin(tilt),
                1e-15);
  }
}

TEST(ContactPoints, OfACylinderLieOnItsRims) {
  const Shape cylinder = cylinderShape({}, 0.1, 0.5);
  RandomPoints random(33);
  for (int i = 0; i < 100; ++i) {
    const Vector3d up = upWhenTilted(random.number(0.002, 3.0), random.number(-3, 3));
    for (const ContactPoint& point : pointsOf(cylinder, up)) {
      const Vector3d place = lowestPlace(point, up);
      EXPECT_NEAR(place.head<2>().norm(), 0.1, 1e-15);
      EXPECT_NEAR(std::abs(place.z()), 0.25, 1e-16);
    }
  }
}

TEST(ContactPoints, OfACircleAreItsLowestPointAndARingForWhenItLiesFlat) {
  const Shape circle = circleShape({}, 0.3);
  RandomPoints random(36);
  for (int i = 0; i < 100; ++i) {
    const double tilt = random.number(0.002, M_PI - 0.002);
    const Vector3d up = upWhenTilted(tilt, random.number(-3, 3));
    EXPECT_NEAR(lowest(pointsOf(circle, up), up), -0.3 * std::sin(tilt), 1e-15);
  }
  EXPECT_EQ(pointsOf(circle, Vector3d::UnitZ(), 0.0).size(), 7u);
}

TEST(ContactPoints, OfEveryShapeAreNumberedFromZeroWithoutGaps) {
  RandomPoints random(35);
  for (const Shape& shape :
       {pointShape({}), sphereShape({}, 1.0), capsuleShape({}, 1.0, 1.0), cylinderShape({}, 1.0, 1.0),
        circleShape({}, 1.0), boxShape({}, {1.0, 1.0, 1.0}), hullShape({}, random.onSphere(9))}) {
    const auto points = pointsOf(shape, random.direction());
    ASSERT_EQ(static_cast<int>(points.size()), maxContactPoints(shape));
    for (int i = 0; i < static_cast<int>(points.size()); ++i) EXPECT_EQ(points[i].feature, i);
  }
}

TEST(ContactPoints, OfAStandingCylinderSurroundItsAxis) {
  const Shape cylinder = cylinderShape({}, 0.1, 0.5);
  for (double side : {-1.0, 1.0}) {
    const Vector3d up = side * Vector3d::UnitZ();
    const auto low = pointsOf(cylinder, up, -0.25);
    ASSERT_GE(low.size(), 4u);
    for (const ContactPoint& point : low) EXPECT_EQ(heightOf(point, up), -0.25);
    // In every direction some point lies at least cos 30° of the radius away: a hexagon carries it.
    for (int i = 0; i < 360; ++i) {
      const Vector3d direction{std::cos(i * M_PI / 180), std::sin(i * M_PI / 180), 0.0};
      double reach = 0.0;
      for (const ContactPoint& point : low) reach = std::max(reach, direction.dot(lowestPlace(point, up)));
      EXPECT_GE(reach, 0.1 * std::cos(M_PI / 6) - 1e-15);
    }
  }
}

TEST(ContactPoints, OfALyingCylinderAreALineThatRollsWithIt) {
  const Shape cylinder = cylinderShape({}, 0.1, 0.5);
  for (int i = 0; i < 360; ++i) {
    const double roll = i * M_PI / 180;
    const Vector3d up{std::cos(roll), std::sin(roll), 0.0};
    const auto low = pointsOf(cylinder, up, -0.1 + 1e-12);
    std::set<double> ends;
    for (const ContactPoint& point : low) {
      const Vector3d place = lowestPlace(point, up);
      EXPECT_NEAR((place.head<2>() + 0.1 * up.head<2>()).norm(), 0.0, 1e-6) << "on the line below the axis";
      ends.insert(place.z());
    }
    EXPECT_EQ(ends, (std::set<double>{-0.25, 0.25}));
  }
}

TEST(ContactPoints, OfACylinderNeverJump) {
  const double radius = 0.1;
  const Shape cylinder = cylinderShape({}, radius, 0.5);
  // Rocking through upright, once straight through and once past it: the points move less than 2 r / kFlat for each
  // radian of tilt (kFlat = 1e-5: the travel from the rim to the middle), so less than 2e-3 r for steps of 1e-8 rad.
  for (double miss : {0.0, 1e-7, 1e-6}) {
    Vector3d last_up = Vector3d(-5e-5, miss, 1.0).normalized();
    auto last = pointsOf(cylinder, last_up);
    for (int i = 1; i <= 10000; ++i) {
      const Vector3d up = Vector3d(-5e-5 + 1e-8 * i, miss, 1.0).normalized();
      const auto now = pointsOf(cylinder, up);
      ASSERT_EQ(now.size(), last.size());
      for (std::size_t k = 0; k < now.size(); ++k) {
        ASSERT_EQ(now[k].feature, last[k].feature);
        ASSERT_LE((lowestPlace(now[k], up) - lowestPlace(last[k], last_up)).norm(), 2.1e-3 * radius);
      }
      last = now;
      last_up = up;
    }
  }
}

TEST(ContactPoints, OfAHullAreItsVerticesBelowTheCeiling) {
  RandomPoints random(34);
  const Shape hull = hullShape({}, random.onSphere(64));
  EXPECT_EQ(maxContactPoints(hull), 64);
  for (int i = 0; i < 100; ++i) {
    const Vector3d up = random.direction();
    const double floor = -support(hull.vertices, -up);
    const auto low = pointsOf(hull, up, floor + 0.05);
    EXPECT_NEAR(lowest(low, up), floor, 1e-15);
    EXPECT_LT(low.size(), 20u);
    const auto expected = std::count_if(hull.vertices.begin(), hull.vertices.end(),
                                        [&](const Vector3d& v) { return up.dot(v) <= floor + 0.05; });
    EXPECT_EQ(static_cast<std::ptrdiff_t>(low.size()), expected);
    for (const ContactPoint& point : low) EXPECT_EQ(point.p_S, hull.vertices[point.feature]);
  }
}

TEST(ContactPoints, AreNoneAboveTheCeiling) {
  const Vector3d up = Vector3d::UnitZ();
  EXPECT_TRUE(pointsOf(boxShape({}, {1, 1, 1}), up, -0.6).empty());
  EXPECT_TRUE(pointsOf(sphereShape({}, 0.5), up, -0.6).empty());
}

TEST(ContactPoints, RefuseRoomThatIsTooSmall) {
  std::array<ContactPoint, 7> room;  // a box has eight corners
  expectError("room for 7 points, and the shape has 8", [&] {
    contactPoints(boxShape({}, {0.1, 0.1, 0.1}), Vector3d::UnitZ(), room, 1.0);
  });
}

}  // namespace
}  // namespace footfall

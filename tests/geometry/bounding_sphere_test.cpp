#include <gtest/gtest.h>

#include <cmath>

#include "footfall/base/error.hpp"
#include "footfall/geometry/shape.hpp"
#include "geometry/random_points.hpp"
#include "model/error_of.hpp"

namespace footfall {
namespace {

double reachFrom(const Vector3d& centre, const std::vector<Vector3d>& points) {
  double reach = 0.0;
  for (const Vector3d& p : points) reach = std::max(reach, (p - centre).norm());
  return reach;
}

TEST(BoundingSphere, ContainsAllPointsAndIsNearlyTheSmallest) {
  RandomPoints random(21);
  for (int trial = 0; trial < 50; ++trial) {
    // Points in the unit ball, and four on its surface around the centre: no smaller ball contains them.
    std::vector<Vector3d> points;
    const Matrix3d R = random.rotation();
    for (const Vector3d& d : {Vector3d(1, 1, 1), Vector3d(-1, -1, 1), Vector3d(-1, 1, -1), Vector3d(1, -1, -1)})
      points.push_back(R * d.normalized());
    for (int i = 0; i < 60; ++i) points.push_back(random.number(0.0, 1.0) * random.direction());
    const BoundingSphere ball = boundingSphere(points);
    EXPECT_GE(ball.radius, reachFrom(ball.centre, points));
    EXPECT_GE(ball.radius, 1.0 - 1e-12);
    EXPECT_LE(ball.radius, 1.01);
  }
}

TEST(BoundingSphere, OfTwoPointsLiesBetweenThem) {
  const BoundingSphere ball = boundingSphere(std::vector<Vector3d>{{1.0, 0.0, 0.0}, {3.0, 0.0, 0.0}});
  EXPECT_NEAR(ball.radius, 1.0, 0.01);
  EXPECT_NEAR(ball.centre.x(), 2.0, 0.01);
}

TEST(BoundingSphere, OfOnePointHasNoRadius) {
  EXPECT_EQ(boundingSphere(std::vector<Vector3d>{{1.0, 2.0, 3.0}}).radius, 0.0);
}

TEST(BoundingSphere, OfEveryShapeContainsItsContactPoints) {
  RandomPoints random(22);
  const Pose X_LS{random.rotation(), random.inBox(0.5)};
  const std::vector<Shape> shapes = {pointShape(X_LS),
                                     sphereShape(X_LS, 0.1),
                                     capsuleShape(X_LS, 0.1, 0.4),
                                     cylinderShape(X_LS, 0.1, 0.4),
                                     circleShape(X_LS, 0.1),
                                     boxShape(X_LS, {0.1, 0.2, 0.3}),
                                     hullShape(X_LS, random.onSphere(30))};
  for (const Shape& shape : shapes) {
    std::vector<ContactPoint> points(maxContactPoints(shape));
    double reach = 0.0;
    for (int trial = 0; trial < 100; ++trial) {
      const int count = contactPoints(shape, random.direction(), points);
      for (int i = 0; i < count; ++i) {
        const double distance = (X_LS * points[i].p_S - shape.bound.centre).norm();
        const bool rim = points[i].kind == ContactPoint::Kind::rim;
        reach = std::max(reach, rim ? std::hypot(distance, points[i].radius) : distance + points[i].radius);
      }
    }
    EXPECT_LE(reach, shape.bound.radius * (1 + 1e-12));
    EXPECT_GE(reach, shape.bound.radius * 0.99) << "and is not much larger than needed";
  }
}

TEST(Shapes, RefuseSizesThatCannotBe) {
  expectError("sphere shape: radius is 0", [] { sphereShape({}, 0.0); });
  expectError("sphere shape: radius is nan", [] { sphereShape({}, NAN); });
  expectError("capsule shape: length is -0.1", [] { capsuleShape({}, 0.1, -0.1); });
  EXPECT_NO_THROW(capsuleShape({}, 0.1, 0.0));
  expectError("cylinder shape: length is 0", [] { cylinderShape({}, 0.1, 0.0); });
  expectError("box shape: side is inf", [] { boxShape({}, {0.1, INFINITY, 0.1}); });
  expectError("hull shape: it has no vertices", [] { hullShape({}, {}); });
  expectError("hull shape: a vertex is not finite", [] { hullShape({}, {Vector3d(NAN, 0, 0)}); });
  expectError("bounding sphere: there are no points", [] { boundingSphere({}); });
}

}  // namespace
}  // namespace footfall

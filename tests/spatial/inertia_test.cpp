#include "footfall/spatial/inertia.hpp"

#include <gtest/gtest.h>

namespace footfall {
namespace {

/// About its middle, sides along the axes [kg m²].
SpatialInertia box(double mass, const Vector3d& size, const Vector3d& com) {
  const Vector3d s = size.cwiseProduct(size);
  return {mass, com, Vector3d(s.y() + s.z(), s.x() + s.z(), s.x() + s.y()).asDiagonal() * (mass / 12.0)};
}

TEST(SpatialInertia, OfTwoHalvesIsThatOfTheWhole) {
  SpatialInertia halves = box(1.0, {0.2, 0.3, 0.4}, {0.1, 0.0, 0.0});
  halves += box(1.0, {0.2, 0.3, 0.4}, {-0.1, 0.0, 0.0});
  const SpatialInertia whole = box(2.0, {0.4, 0.3, 0.4}, Vector3d::Zero());
  EXPECT_EQ(halves.mass, whole.mass);
  EXPECT_LT(halves.com.norm(), 1e-16);
  EXPECT_LT((halves.I_com - whole.I_com).cwiseAbs().maxCoeff(), 1e-16);
}

TEST(SpatialInertia, TurnedByAQuarterSwapsItsMoments) {
  const SpatialInertia lying = box(3.0, {0.1, 0.2, 0.3}, {0.5, 0.0, 0.0});
  const Pose X_AB{rotationFromRollPitchYaw({0.0, 0.0, 0.5 * EIGEN_PI}), {0.0, 0.0, 1.0}};
  const SpatialInertia turned = lying.expressedIn(X_AB);
  EXPECT_LT((turned.com - Vector3d(0.0, 0.5, 1.0)).norm(), 1e-15);
  EXPECT_NEAR(turned.I_com(0, 0), lying.I_com(1, 1), 1e-16);
  EXPECT_NEAR(turned.I_com(1, 1), lying.I_com(0, 0), 1e-16);
  EXPECT_NEAR(turned.I_com(2, 2), lying.I_com(2, 2), 1e-16);
  EXPECT_EQ(turned.mass, lying.mass);
}

TEST(SpatialInertia, WithNothingIsItself) {
  SpatialInertia body = box(2.0, {0.1, 0.2, 0.3}, {1.0, 2.0, 3.0});
  const SpatialInertia before = body;
  body += SpatialInertia{};
  EXPECT_EQ(body.mass, before.mass);
  EXPECT_LT((body.com - before.com).norm(), 1e-15);
  EXPECT_LT((body.I_com - before.I_com).cwiseAbs().maxCoeff(), 1e-15);
}

}  // namespace
}  // namespace footfall

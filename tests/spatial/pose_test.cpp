#include "footfall/spatial/pose.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tools/random_seed.hpp"

namespace footfall {
namespace {

constexpr double kRounding = 1e-15;  ///< some roundings of numbers below two

Vector3d randomVector(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return {normal(random), normal(random), normal(random)};
}

Pose randomPose(std::mt19937& random) {
  return {expQuaternion(randomVector(random)).toRotationMatrix(), randomVector(random)};
}

TEST(Pose, TimesItsInverseIsNothing) {
  std::mt19937 random(randomSeed(1));
  for (int k = 0; k < 100; ++k) {
    const Pose X = randomPose(random), none = X * X.inverse();
    EXPECT_LT((none.R - Matrix3d::Identity()).cwiseAbs().maxCoeff(), 4 * kRounding);
    EXPECT_LT(none.p.norm(), 10 * kRounding * (1.0 + X.p.norm()));
  }
}

TEST(Pose, ProductsActOneAfterTheOther) {
  std::mt19937 random(randomSeed(2));
  const Pose X_AB = randomPose(random), X_BC = randomPose(random);
  const Vector3d p_C = randomVector(random);
  EXPECT_LT(((X_AB * X_BC) * p_C - X_AB * (X_BC * p_C)).norm(), 1e-14);
}

TEST(Rotation, OfRollPitchYawTurnsAboutFixedAxesInThisOrder) {
  const Vector3d rpy(0.3, -0.7, 1.9);
  const Matrix3d expected =
      (Eigen::AngleAxisd(rpy.z(), Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Vector3d::UnitY()) *
       Eigen::AngleAxisd(rpy.x(), Vector3d::UnitX()))
          .toRotationMatrix();
  EXPECT_LT((rotationFromRollPitchYaw(rpy) - expected).cwiseAbs().maxCoeff(), kRounding);
}

TEST(ExpQuaternion, IsExactToRoundingForTheSmallestAndForLargeAngles) {
  for (const double angle : {1e-300, 1e-9, 1e-8, 1e-4, 0.5, 3.0, 10.0}) {
    const Eigen::Quaterniond q = expQuaternion({0.0, angle, 0.0});
    EXPECT_NEAR(q.y(), std::sin(0.5 * angle), 2e-16 * std::max(0.5 * angle, 1e-300)) << angle;
    EXPECT_NEAR(q.w(), std::cos(0.5 * angle), 2e-16) << angle;
    EXPECT_NEAR(q.norm(), 1.0, 4e-16);
  }
  EXPECT_EQ(expQuaternion(Vector3d::Zero()).coeffs(), Eigen::Vector4d(0, 0, 0, 1));
}

TEST(RotationVector, UndoesExpQuaternion) {
  const Vector3d axis = Vector3d(2.0, -3.0, 6.0) / 7.0;
  for (const double angle : {0.0, 1e-300, 1e-9, 1.9e-4, 2.1e-4, 1.0, 3.0, M_PI - 1e-9}) {
    const Vector3d theta = angle * axis;
    EXPECT_LE((rotationVector(expQuaternion(theta)) - theta).norm(), 1e-15 * angle + 1e-16 * (angle > 3.0)) << angle;
    const Eigen::Quaterniond Q = expQuaternion(theta);
    EXPECT_EQ(rotationVector(Eigen::Quaterniond(-Q.coeffs())), rotationVector(Q));  // the same rotation
  }
  // Beyond half a turn it is the shorter way round.
  EXPECT_LT((rotationVector(expQuaternion(4.0 * axis)) - (4.0 - 2.0 * M_PI) * axis).norm(),
            4e-15);  // an angle of 4, rounded a few times
  EXPECT_LE(rotationVector(expQuaternion(100.0 * axis)).norm(), M_PI);
}

TEST(RotationWithZ, IsARotationWhoseThirdAxisIsThatVector) {
  std::mt19937 random(randomSeed(3));
  for (int k = 0; k < 100; ++k) {
    const Vector3d z = randomVector(random).normalized();
    const Matrix3d R = rotationWithZ(z);
    EXPECT_EQ(R.col(2), z);
    EXPECT_LT((R.transpose() * R - Matrix3d::Identity()).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_NEAR(R.determinant(), 1.0, 1e-14);
  }
  const Matrix3d down = rotationWithZ(-Vector3d::UnitZ());
  EXPECT_NEAR(down.determinant(), 1.0, 1e-15) << "also where it cannot be smooth";
}

}  // namespace
}  // namespace footfall

// Where points, balls and circles meet the ground, against a search over all of their points.
#include "footfall/contact/contact_place.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "footfall/terrain/formula.hpp"
#include "footfall/terrain/height_field.hpp"

namespace footfall::physics {
namespace {

Pose randomPose(std::mt19937& random, double height) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const Eigen::Vector4d q = Eigen::Vector4d(unit(random), unit(random), unit(random), unit(random)).normalized();
  return {Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix(),
          {0.2 * unit(random), 0.2 * unit(random), height}};
}

/// The smallest gap of all points of a circle, by looking at many.
double gapBySearch(const ContactFeature& circle, const Pose& X_WL, const Terrain& ground) {
  const Matrix3d R_LS = rotationWithZ(circle.axis_L);
  double least = std::numeric_limits<double>::infinity();
  constexpr int kPoints = 20000;
  for (int k = 0; k < kPoints; ++k) {
    const double angle = 2.0 * M_PI * k / kPoints;
    const Vector3d p_L = circle.p_L + circle.radius * (R_LS * Vector3d(std::cos(angle), std::sin(angle), 0.0));
    least = std::min(least, ground.at(X_WL * p_L, 0.0).gap);
  }
  return least;
}

const ContactFeature kCircle{{0.02, -0.01, 0.03}, 0.1, Vector3d(0.3, 1.0, -0.2).normalized()};

TEST(ContactPlace, OfACircleOnAPlaneIsItsLowestPoint) {
  const Plane slope({0.3, -0.2, 0.1}, {0.4, -0.3, 1.0}, Material{});
  std::mt19937 random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const Pose X_WL = randomPose(random, 0.2);
    const ContactPlace place = findContactPlace(kCircle, X_WL, slope, 0.0);
    // The nearest of the points that were tried is off by half of their distance at most.
    const double off = 0.1 * std::pow(M_PI / 20000, 2);
    EXPECT_NEAR(place.surface.gap, gapBySearch(kCircle, X_WL, slope), off);
    EXPECT_NEAR(place.surface.gap, slope.at(X_WL.p + place.lever_W, 0.0).gap, 1e-15);
    const Vector3d from_middle_L = X_WL.R.transpose() * place.lever_W - kCircle.p_L;
    EXPECT_NEAR(from_middle_L.norm(), 0.1, 1e-15);
    EXPECT_NEAR(from_middle_L.dot(kCircle.axis_L), 0.0, 1e-15);
  }
}

// A valley with a radius of 0.5 m, five times that of the circle.
TEST(ContactPlace, OfACircleInAValleyIsItsNearestPoint) {
  const HeightField valley(std::make_shared<FormulaMap>("x * x + 0.5 * y * y", 2.0, 2.0), Vector3d::Zero(), {});
  std::mt19937 random(4);
  double worst = 0.0;
  for (int trial = 0; trial < 50; ++trial) {
    Pose X_WL = randomPose(random, 0.3);
    // Down to where it nearly touches: gaps of a height field are exact near the ground only.
    X_WL.p.z() -= findContactPlace(kCircle, X_WL, valley, 0.0).surface.gap;
    X_WL.p.z() -= findContactPlace(kCircle, X_WL, valley, 0.0).surface.gap;
    const double gap = findContactPlace(kCircle, X_WL, valley, 0.0).surface.gap;
    worst = std::max(worst, std::abs(gap - gapBySearch(kCircle, X_WL, valley)));
  }
  EXPECT_LT(worst, 1e-6);
}

// What contacts are made of: the gap of a travelling point changes as fast as the material point there moves.
TEST(ContactPlace, GapsChangeWithTheNormalVelocityOfTheMaterialPoint) {
  const HeightField hills(std::make_shared<FormulaMap>("0.05 * sin(3 * x) + 0.03 * cos(4 * y)", 4.0, 4.0),
                          Vector3d::Zero(), {});
  const ContactFeature ball{{0.02, -0.01, 0.03}, 0.1}, point{{0.02, -0.01, 0.03}};
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (const ContactFeature& feature : {kCircle, ball, point}) {
    for (int trial = 0; trial < 50; ++trial) {
      Pose X_WL = randomPose(random, 0.3);
      for (int k = 0; k < 3; ++k) X_WL.p.z() -= findContactPlace(feature, X_WL, hills, 0.0).surface.gap;
      const ContactPlace place = findContactPlace(feature, X_WL, hills, 0.0);
      const Vector3d v(unit(random), unit(random), unit(random)), omega(unit(random), unit(random), unit(random));
      const auto gapAfter = [&](double time) {
        const double angle = omega.norm() * time;
        const Pose moved{Eigen::AngleAxisd(angle, omega.normalized()) * X_WL.R, X_WL.p + time * v};
        return findContactPlace(feature, moved, hills, 0.0).surface.gap;
      };
      constexpr double kStep = 1e-4;
      const double rate = (gapAfter(kStep) - gapAfter(-kStep)) / (2.0 * kStep);
      // Second-order differences, and what is left of the iteration on curved ground.
      EXPECT_NEAR(rate, place.surface.R_WC.col(2).dot(v + omega.cross(place.lever_W)), 1e-4);
    }
  }
}

}  // namespace
}  // namespace footfall::physics

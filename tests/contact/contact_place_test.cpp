// Where points, balls and circles meet the ground, against a search over all of their points.
#include "footfall/contact/contact_place.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "footfall/terrain/box.hpp"
#include "footfall/terrain/formula.hpp"
#include "footfall/terrain/height_field.hpp"
#include "footfall/terrain/terrain_group.hpp"
#include "tools/random_seed.hpp"

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
  std::mt19937 random(randomSeed(3));
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
  std::mt19937 random(randomSeed(4));
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
  std::mt19937 random(randomSeed(5));
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

/// Gaps where they are smaller than on both sides, around a circle, and below `reach`: by looking at many.
std::vector<double> gapsBySearch(const ContactFeature& circle, const Pose& X_WL, const Terrain& ground, double reach) {
  constexpr int kPoints = 5000;
  const Matrix3d R_LS = rotationWithZ(circle.axis_L);
  std::vector<double> gaps(kPoints), least;
  for (int k = 0; k < kPoints; ++k) {
    const double angle = 2.0 * M_PI * k / kPoints;
    const Vector3d p_L = circle.p_L + circle.radius * (R_LS * Vector3d(std::cos(angle), std::sin(angle), 0.0));
    gaps[k] = ground.at(X_WL * p_L, 0.0).gap;
  }
  for (int k = 0; k < kPoints; ++k) {
    const double gap = gaps[k], before = gaps[(k + kPoints - 1) % kPoints], after = gaps[(k + 1) % kPoints];
    if (gap < before && gap <= after && gap < reach) least.push_back(gap);
  }
  std::sort(least.begin(), least.end());
  return least;
}

std::shared_ptr<const Terrain> planeTilted(double slope_x, double slope_y) {
  return std::make_shared<Plane>(Vector3d::Zero(), Vector3d(-slope_x, -slope_y, 1.0), Material{});
}

/// Valleys of planes, of height fields that are narrower than the circle, and an inner corner of three planes.
TEST(CirclePlaces, AreAllThatASearchFinds) {
  using Members = std::vector<std::shared_ptr<const Terrain>>;
  const auto curved = [](const char* formula) {
    return std::make_shared<HeightField>(std::make_shared<FormulaMap>(formula, 4.0, 4.0), Vector3d::Zero(), Material{});
  };
  const Members grounds = {
      std::make_shared<TerrainGroup>(Members{planeTilted(0.3, 0.1), planeTilted(-0.6, 0.2)}),
      std::make_shared<TerrainGroup>(Members{planeTilted(0.05, 0.0), planeTilted(-0.05, 0.02)}),
      std::make_shared<TerrainGroup>(Members{planeTilted(0.0, 0.0), planeTilted(3.0, 0.2), planeTilted(-0.2, 2.0)}),
      curved("10 * x * x"),
      curved("8 * x * x + 2 * y * y"),
      curved("0.05 * sin(12 * x)")};
  constexpr double kReach = 2e-5;  // the gap of a height field is off by about its square times the curvature
  std::mt19937 random(randomSeed(6));
  CirclePlaces found;
  int several = 0;
  for (std::size_t g = 0; g < grounds.size(); ++g) {
    for (int trial = 0; trial < 20; ++trial) {
      SCOPED_TRACE("ground " + std::to_string(g) + ", trial " + std::to_string(trial));
      // It falls without turning, and is pushed out of what it falls into, until it lies there.
      Pose X_WL = randomPose(random, 0.4);
      for (double fall = 0.06; fall > 1e-6; fall *= 0.93) {
        X_WL.p.z() -= fall;
        for (int push = 0; push < 5; ++push) {
          findCirclePlaces(kCircle, X_WL, *grounds[g], 0.0, kReach, found);
          for (const ContactPlace& place : std::span(found.places).first(static_cast<std::size_t>(found.count)))
            X_WL.p += std::max(-place.surface.gap, 0.0) / found.count * place.surface.R_WC.col(2);
        }
      }
      findCirclePlaces(kCircle, X_WL, *grounds[g], 0.0, kReach, found);
      std::vector<double> gaps;
      for (int k = 0; k < found.count; ++k) {
        const ContactPlace& place = found.places[k];
        // High above a valley the gap jumps where the other slope becomes the nearer one: no place to come back to.
        if (place.surface.gap >= kReach) continue;
        gaps.push_back(place.surface.gap);
        // The place is found again from there.
        const ContactPlace again = findContactPlace(found.featureOf(k, kCircle, X_WL), X_WL, *grounds[g], 0.0);
        EXPECT_LT((again.lever_W - place.lever_W).norm(), 1e-8);
      }
      std::sort(gaps.begin(), gaps.end());
      const std::vector<double> expected = gapsBySearch(kCircle, X_WL, *grounds[g], kReach);
      ASSERT_EQ(gaps.size(), expected.size());
      // The nearest of the points that were tried is off by half of their distance at most.
      for (std::size_t k = 0; k < gaps.size(); ++k) EXPECT_NEAR(gaps[k], expected[k], 0.1 * std::pow(M_PI / 5000, 2));
      several += gaps.size() > 1;
    }
  }
  EXPECT_GT(several, 40) << "else it says little";
}

TEST(CirclePlaces, OfAPlaneAreOne) {
  // The second one is a group, in which the circle sees nothing but the plane.
  const auto slope = planeTilted(0.4, -0.3);
  const TerrainGroup with_block({slope, std::make_shared<Box>(Pose{Matrix3d::Identity(), {50.0, 0.0, 0.0}},
                                                              Vector3d(1.0, 1.0, 1.0), Material{})});
  std::mt19937 random(randomSeed(3));
  CirclePlaces found;
  for (int trial = 0; trial < 50; ++trial) {
    const Pose X_WL = randomPose(random, 0.2);
    for (const Terrain* ground : {slope.get(), static_cast<const Terrain*>(&with_block)}) {
      findCirclePlaces(kCircle, X_WL, *ground, 0.0, 1.0, found);
      ASSERT_EQ(found.count, 1);
      EXPECT_TRUE(found.on_one_plane);
      EXPECT_EQ(found.places[0].lever_W, findContactPlace(kCircle, X_WL, *ground, 0.0).lever_W) << "to the bit";
    }
  }
}

}  // namespace
}  // namespace footfall::physics

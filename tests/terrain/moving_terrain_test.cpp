#include "footfall/terrain/moving_terrain.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "footfall/terrain/box.hpp"
#include "model/error_of.hpp"
#include "tools/random_seed.hpp"

namespace footfall {
namespace {

std::shared_ptr<const Terrain> floorPlane() {
  return std::make_shared<Plane>(Vector3d::Zero(), Vector3d::UnitZ(), Material{0.4, 0.1});
}

/// Two rotations and two translations at once, none along an axis.
Motion wildMotion() {
  return Motion({{{1, 0.5, 0}, TimeFunction::sine({0.2, 1.5, 0.3})}, {{0, 0, 2}, TimeFunction::linear(0.1, 0.4)}},
                {{{1, 0, 0.2}, {0.1, 0.2, 0.3}, TimeFunction::sine({0.5, 0.7, 0.0})},
                 {{0, 1, 0}, {-0.5, 0, 0.1}, TimeFunction::linear(0.2, -0.6)}});
}

/// Where the material point that is at p_W at time t is at another time.
Vector3d carried(const Motion& motion, const Vector3d& p_W, double t, double later) {
  return motion.pose(later) * (motion.pose(t).inverse() * p_W);
}

TEST(Motion, VelocityIsTheDerivativeOfThePosition) {
  const Motion motion = wildMotion();
  const Vector3d p_W(0.7, -0.4, 0.2);
  constexpr double kStep = 1e-5;
  for (double t = 0.0; t < 3.0; t += 0.21) {
    const Vector3d difference =
        (carried(motion, p_W, t, t + kStep) - carried(motion, p_W, t, t - kStep)) / (2.0 * kStep);
    // Third derivatives of the position are below 500 m/s³ here.
    EXPECT_LT((motion.velocity(p_W, t) - difference).norm(), 500.0 * kStep * kStep / 6.0 + 1e-10) << t;
  }
}

TEST(Motion, MeanVelocityCarriesAPointExactlyAlong) {
  const Motion motion = wildMotion();
  const Vector3d p_W(0.7, -0.4, 0.2);
  for (const double dt : {1e-3, 0.05, 1.0})
    for (double t = 0.0; t < 3.0; t += 0.31) {
      const Vector3d end = p_W + dt * motion.velocity(p_W, {t, dt});
      EXPECT_LT((end - carried(motion, p_W, t, t + dt)).norm(), 1e-14) << t;  // coordinates of about one metre
    }
}

TEST(Lift, MovesItsSurfaceAndKeepsItsMaterial) {
  const MovingTerrain lift(floorPlane(), Motion({{{0, 0, 1}, TimeFunction::linear(0.5, 2.0)}}, {}));
  const SurfacePoint surface = lift.at({3, 4, 1.6}, {0.5, 1e-3});
  EXPECT_NEAR(surface.gap, 0.1, 1e-15);
  EXPECT_EQ(surface.velocity_W, Vector3d(0, 0, 2));
  EXPECT_EQ(surface.R_WC, Matrix3d::Identity());
  EXPECT_EQ(surface.friction, 0.4);
  EXPECT_EQ(surface.restitution, 0.1);
}

TEST(ShakingTable, HasTheMeanVelocityOfTheStep) {
  const MovingTerrain table(floorPlane(), Motion({{{2, 0, 0}, TimeFunction::sine({0.05, 2.0, 0.0})}}, {}));
  const double omega = 4.0 * M_PI, t = 0.37, dt = 1e-3;
  const double mean = 0.05 * (std::sin(omega * (t + dt)) - std::sin(omega * t)) / dt;
  EXPECT_NEAR(table.at({1, 1, 0}, {t, dt}).velocity_W.x(), mean, 1e-13);  // rounding 1e-17 / dt
  EXPECT_NEAR(table.at({1, 1, 0}, t).velocity_W.x(), 0.05 * omega * std::cos(omega * t), 1e-15);
}

TEST(TiltingTable, TurnsItsNormalAndMovesItsFarEndFaster) {
  const MovingTerrain table(floorPlane(), Motion({}, {{{0, 1, 0}, {1, 0, 0}, TimeFunction::linear(0.0, 0.5)}}));
  const double angle = 0.5 * 0.8;
  const Vector3d normal(std::sin(angle), 0.0, std::cos(angle)), along(std::cos(angle), 0.0, -std::sin(angle));
  const Vector3d p_W = Vector3d(1, 0, 0) + 2.0 * along + 0.3 * normal;
  const SurfacePoint surface = table.at(p_W, 0.8);
  EXPECT_NEAR(surface.gap, 0.3, 1e-14);
  EXPECT_LT((surface.R_WC.col(2) - normal).norm(), 1e-14);
  // Of the point of the table below p_W, not of p_W itself, which is 0.3 m above it.
  EXPECT_LT((surface.velocity_W - 0.5 * Vector3d::UnitY().cross(2.0 * along)).norm(), 1e-14);
}

TEST(Conveyor, RunsAlongAnInclineWithItsFullSpeed) {
  const Vector3d normal = Vector3d(-1, 0, 1).normalized();
  const auto ramp = std::make_shared<Plane>(Vector3d::Zero(), normal, Material{});
  const Conveyor belt(ramp, Vector3d::UnitX(), TimeFunction::linear(0.0, 1.5));
  const SurfacePoint surface = belt.at({0.2, 0, 0.2}, {1.0, 1e-3});
  EXPECT_LT((surface.velocity_W - 1.5 * Vector3d(1, 0, 1).normalized()).norm(), 1e-15);
  EXPECT_NEAR(belt.at({0.2, 0, 0.2}, 99.0).gap, 0.0, 1e-15) << "the shape stays where it is";
}

TEST(Conveyor, LeavesFacesSquareToItAlone) {
  const auto box = std::make_shared<Box>(Pose(), Vector3d(2, 1, 0.2), Material{});
  const Conveyor belt(box, Vector3d::UnitX(), TimeFunction::linear(0.0, 1.5));
  EXPECT_EQ(belt.at({0, 0, 0.2}, 0.0).velocity_W, Vector3d(1.5, 0, 0));
  EXPECT_EQ(belt.at({1.5, 0, 0}, 0.0).velocity_W, Vector3d::Zero());
}

TEST(MovingTerrain, CarriesAConveyor) {
  const auto belt = std::make_shared<Conveyor>(floorPlane(), Vector3d::UnitX(), TimeFunction::linear(0.0, 1.0));
  const MovingTerrain table(belt, Motion({{{0, 0, 1}, TimeFunction::linear(0.0, 3.0)}},
                                         {{{0, 0, 1}, {0, 0, 0}, TimeFunction::linear(0.5 * M_PI, 0.0)}}));
  EXPECT_LT((table.at({0, 0, 5}, 1.0).velocity_W - Vector3d(0, 1, 3)).norm(), 1e-15);
}

TEST(MovingTerrain, TurnsAllFacesOfABox) {
  const auto box = std::make_shared<Box>(Pose(), Vector3d(2, 1, 0.2), Material{});
  const MovingTerrain turned(box, Motion({}, {{{0, 0, 1}, {0, 0, 0}, TimeFunction::linear(0.5 * M_PI, 0.0)}}));
  SurfacePoint faces[2];
  ASSERT_EQ(turned.faces({-0.46, 0, 0.05}, 0.0, faces), 2);
  EXPECT_LT((faces[0].R_WC.col(2) - Vector3d(-1, 0, 0)).norm(), 1e-15);
  EXPECT_NEAR(faces[0].gap, -0.04, 1e-15);
  EXPECT_LT((faces[1].R_WC.col(2) - Vector3d(0, 0, 1)).norm(), 1e-15);
}

TEST(MovingTerrain, ClearanceHoldsAtBothEndsOfTheStep) {
  const auto box = std::make_shared<Box>(Pose(), Vector3d(2, 1, 0.2), Material{});
  const MovingTerrain moving(box, wildMotion());
  std::mt19937 random(randomSeed(7));
  std::uniform_real_distribution<double> any(-2.0, 2.0);
  for (int i = 0; i < 300; ++i) {
    const Vector3d center(any(random), any(random), any(random));
    const double t = 2.0 + any(random), radius = 0.1, dt = 0.02;
    const double bound = moving.clearance(center, radius, {t, dt});
    for (int k = 0; k < 20; ++k) {
      const Vector3d p_W = center + radius * Vector3d(any(random), any(random), any(random)).normalized();
      if (bound > 0.0) {
        EXPECT_GE(moving.at(p_W, t).gap, bound - 1e-12);
        EXPECT_GE(moving.at(p_W, t + dt).gap, bound - 1e-12);
      }
    }
    EXPECT_GT(bound, moving.at(center, t).gap - radius - 0.2) << "no more careful than the speeds ask for";
  }
}

TEST(MovingTerrain, NamesTheFieldThatIsWrong) {
  const TimeFunction still = TimeFunction::linear(0.0, 0.0);
  EXPECT_EQ(errorOf([&] { Motion({{Vector3d::Zero(), still}}, {}); }).where(), "motion.direction");
  EXPECT_EQ(errorOf([&] { Motion({}, {{Vector3d::Zero(), Vector3d::Zero(), still}}); }).where(), "motion.axis");
  EXPECT_EQ(errorOf([&] { Conveyor(floorPlane(), Vector3d::Zero(), still); }).where(), "conveyor.direction");
  EXPECT_EQ(errorOf([&] { MovingTerrain(nullptr, Motion({}, {})); }).where(), "ground");
}

}  // namespace
}  // namespace footfall

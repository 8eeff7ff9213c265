#include <gtest/gtest.h>

#include <cmath>

#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

constexpr double kDegree = M_PI / 180.0;

Scene blockOnGround(double friction) {
  Scene scene = boxScene();
  scene.robot.on_ground = true;
  scene.ground.friction = friction;
  return scene;
}

class SlidingBlock : public testing::TestWithParam<double> {};

TEST_P(SlidingBlock, StopsAfterTheDistanceOfCoulombsLaw) {
  const double heading = GetParam() * kDegree, speed = 2.0, friction = 0.5, dt = 1e-3;
  Scene scene = blockOnGround(friction);
  scene.robot.base_velocity = {speed * std::cos(heading), speed * std::sin(heading), 0.0};
  Simulation simulation(scene);
  const double height = simulation.state().q[2];
  double lift = 0.0;
  for (int k = 0; k < 1000; ++k) {
    ASSERT_EQ(simulation.step().status, SolveStatus::converged);
    lift = std::max(lift, std::abs(simulation.state().q[2] - height));
  }
  const State& end = simulation.state();
  const double distance = std::hypot(end.q[0], end.q[1]);
  EXPECT_NEAR(distance, speed * speed / (2.0 * friction * kGravity), speed * dt);
  EXPECT_NEAR(std::atan2(end.q[1], end.q[0]), heading, 1e-9);
  EXPECT_LT(lift, 1e-9);
  // It neither turned nor tilted: the vector part of the quaternion stays at rounding.
  EXPECT_LT(end.q.segment<3>(3).norm(), 1e-9);
  EXPECT_LT(end.nu.norm(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Headings, SlidingBlock, testing::Values(0.0, 37.0, 90.0, -160.0));

Scene blockOnSlope(double degrees_above_friction_angle) {
  Scene scene = blockOnGround(0.5);
  scene.ground.incline = std::atan(0.5) + degrees_above_friction_angle * kDegree;
  scene.ground.heading = 30.0 * kDegree;
  return scene;
}

TEST(BoxOnIncline, SticksBelowTheFrictionAngle) {
  Simulation simulation(blockOnSlope(-0.1));
  const Vector3d start = simulation.state().q.head<3>();
  for (int k = 0; k < 60000; ++k) simulation.step();
  EXPECT_LT((simulation.state().q.head<3>() - start).norm(), 1e-7);
}

TEST(BoxOnIncline, SlidesAboveTheFrictionAngleWithTheRightAcceleration) {
  const Scene scene = blockOnSlope(0.1);
  Simulation simulation(scene);
  const Vector3d start = simulation.state().q.head<3>();
  const int steps = 2000;
  for (int k = 0; k < steps; ++k) simulation.step();
  const double acceleration = kGravity * (std::sin(scene.ground.incline) - 0.5 * std::cos(scene.ground.incline));
  // Forces are constant: v = a t and x = a t²/2 exactly.
  const double t = steps * 1e-3;
  EXPECT_NEAR(simulation.state().nu.head<3>().norm(), acceleration * t, 1e-7);
  EXPECT_NEAR((simulation.state().q.head<3>() - start).norm(), 0.5 * acceleration * t * t, 1e-7);
}

TEST(BoxOnIncline, StandsOnTheCeilingIfGravityPointsThere) {
  Scene scene = blockOnGround(0.5);
  scene.ground.incline = M_PI;  // the ground is above, its normal points down
  scene.physics.gravity = {0.0, 0.0, kGravity};
  Simulation simulation(scene);
  for (int k = 0; k < 100; ++k) simulation.step();
  Vector3d force_W = Vector3d::Zero();
  double normal_force = 0.0;
  for (const ContactReport& contact : simulation.result().contacts) {
    force_W += contact.force_W;
    normal_force += contact.force_C.z();
  }
  const double weight = simulation.model().totalMass() * kGravity;
  EXPECT_NEAR(normal_force, weight, 1e-6 * weight);
  EXPECT_LT((force_W - Vector3d(0.0, 0.0, -weight)).norm(), 1e-6 * weight);
  EXPECT_LT(simulation.state().nu.norm(), 1e-9);
}

}  // namespace
}  // namespace footfall::physics

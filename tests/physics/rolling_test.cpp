// Wheels, discs and cylinders on the ground: the point where they touch travels around their rims.
#include <gtest/gtest.h>

#include <cmath>

#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

constexpr double kRadius = 0.1;  ///< of models/wheel.urdf and models/disc.urdf [m]

/// The wheel of models/wheel.urdf on edge, its axle along y: where +x is forward.
Scene wheelOnEdge(double speed, double turn_rate) {
  Scene scene = shapedBody("wheel");
  scene.robot.base_position = {0.0, 0.0, kRadius};
  scene.robot.base_rpy = {M_PI / 2, 0.0, 0.0};
  scene.robot.base_velocity = {speed, 0.0, 0.0};
  scene.robot.base_angular_velocity = {0.0, turn_rate, 0.0};
  return scene;
}

struct Journey {
  double speed = 0.0;    ///< at the end [m/s]
  int impacts = 0;       ///< steps with one
  double highest = 0.0;  ///< how far the middle left its height [m]
};

Journey drive(const Scene& scene, double duration) {
  Simulation simulation(scene);
  const double height = simulation.state().q[2];
  Journey result;
  const int steps = static_cast<int>(std::lround(duration / scene.physics.step));
  for (int k = 0; k < steps; ++k) {
    EXPECT_EQ(simulation.step().status, SolveStatus::converged);
    result.impacts += simulation.result().impact;
    result.highest = std::max(result.highest, std::abs(simulation.state().q[2] - height));
  }
  result.speed = simulation.state().nu.head<3>().norm();
  return result;
}

TEST(Wheel, RollsOnForEverAtItsSpeed) {
  const Journey result = drive(wheelOnEdge(5.0, 5.0 / kRadius), 10.0);
  EXPECT_NEAR(result.speed, 5.0, 1e-6);
  EXPECT_EQ(result.impacts, 0);
  EXPECT_LT(result.highest, 1e-9);
}

TEST(Wheel, RollsOnABoxAndOnAHeightFieldAsOnAPlane) {
  Scene box = wheelOnEdge(2.0, 2.0 / kRadius);
  box.ground.shape = "box";
  box.ground.size = {10.0, 10.0, 0.2};
  box.ground.position = {0.0, 0.0, -0.1};
  Scene field = wheelOnEdge(2.0, 2.0 / kRadius);
  field.ground.shape = "height_field";
  field.ground.formula = "0 * x";
  field.ground.size_x = field.ground.size_y = 20.0;
  for (const Scene& scene : {box, field}) {
    const Journey result = drive(scene, 2.0);
    EXPECT_NEAR(result.speed, 2.0, 1e-6) << scene.ground.shape;
    EXPECT_EQ(result.impacts, 0) << scene.ground.shape;
  }
}

// A cylinder gives a third of its speed to its spin: angular momentum about the line on the ground is kept.
TEST(Wheel, ThatSlidesAtFirstRollsAtTwoThirdsOfItsSpeed) {
  Scene scene = wheelOnEdge(3.0, 0.0);
  scene.ground.friction = 0.3;
  // It rolls after v / (3 μ g) = 0.34 s.
  EXPECT_NEAR(drive(scene, 0.5).speed, 2.0, 1e-6);
}

// A wheel of inertia m r²/2 accelerates with 2/3 g sin α, on a slope of a plane and of a height field.
TEST(Wheel, RollsDownASlopeWithTwoThirdsOfTheAccelerationOfSliding) {
  constexpr double kSlope = 0.1, kTime = 1.0;
  Scene plane = wheelOnEdge(0.0, 0.0);
  plane.ground.incline = std::atan(kSlope);
  plane.robot.on_ground = true;
  Scene field = wheelOnEdge(0.0, 0.0);
  field.ground.shape = "height_field";
  field.ground.formula = "-0.1 * x";
  field.ground.size_x = field.ground.size_y = 20.0;
  field.robot.on_ground = true;
  const double wanted = 2.0 / 3.0 * kGravity * std::sin(std::atan(kSlope)) * kTime;
  for (const Scene& scene : {plane, field}) {
    const Journey result = drive(scene, kTime);
    EXPECT_NEAR(result.speed, wanted, 1e-6) << scene.ground.shape;
    EXPECT_EQ(result.impacts, 0) << scene.ground.shape;
  }
}

// Two balls and the straight between them: a capsule that lies on the ground.
TEST(Capsule, ThatSlidesAtFirstRollsAtTwoThirdsOfItsSpeed) {
  Scene scene = wheelOnEdge(3.0, 0.0);
  scene.contacts[0] = {};
  scene.contacts[0].frame = "wheel";
  scene.contacts[0].points = {{0.0, 0.0, -0.025}, {0.0, 0.0, 0.025}};
  scene.contacts[0].radius = kRadius;
  scene.ground.friction = 0.3;
  EXPECT_NEAR(drive(scene, 0.5).speed, 2.0, 1e-6);
}

TEST(Ball, ThatSlidesAtFirstRollsAtFiveSeventhsOfItsSpeed) {
  Scene scene = shapedBody("sphere");
  scene.robot.base_position = {0.0, 0.0, 0.1};
  scene.robot.base_velocity = {3.5, 0.0, 0.0};
  scene.ground.friction = 0.3;
  // It rolls after 2 v / (7 μ g) = 0.34 s.
  EXPECT_NEAR(drive(scene, 0.5).speed, 2.5, 1e-6);
}

// Standing on its face it rests on seven points, whichever way it came there, and stays.
TEST(Cylinder, DroppedOnItsFaceComesToRestOnARing) {
  Scene scene = shapedBody("wheel");
  scene.robot.base_position = {0.0, 0.0, 0.2};
  scene.robot.base_rpy = {0.2, 0.1, 0.0};
  Simulation simulation(scene);
  double energy = simulation.dynamics().energy().total(), gain = 0.0, deepest = 0.0;
  for (int k = 0; k < 1000; ++k) {
    ASSERT_NE(simulation.step().status, SolveStatus::failed);
    for (const ContactReport& contact : simulation.result().contacts) deepest = std::max(deepest, -contact.gap);
    const double now = simulation.dynamics().energy().total();
    gain = std::max(gain, now - energy);
    energy = now;
  }
  EXPECT_EQ(simulation.result().contacts.size(), 7u);
  EXPECT_NEAR(simulation.state().q[2], 0.025, 1e-6);
  EXPECT_LT(simulation.state().nu.norm(), 1e-6);
  EXPECT_LT(deepest, 50e-6);
  EXPECT_LT(gain, 1e-6 * kGravity * 0.2);
}

}  // namespace
}  // namespace footfall::physics

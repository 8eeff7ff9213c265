// Round bodies that touch with a small face: its friction resists turning, and weakens that against sliding.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

constexpr double kRadius = 0.1;  ///< of models/sphere.urdf [m]
constexpr double kFriction = 0.4;

/// The ball of models/sphere.urdf on the ground, with a face.
Scene ballOnFace(double face) {
  Scene scene = freeBody("sphere");
  SceneContact contact;
  contact.frame = "sphere";
  contact.points = {Vector3d::Zero()};
  contact.radius = kRadius;
  contact.face = face;
  scene.contacts.push_back(contact);
  scene.robot.base_position = {0.0, 0.0, kRadius};
  scene.ground.friction = kFriction;
  return scene;
}

double inertiaOf(const Simulation& simulation) { return simulation.model().links[0].inertia.I_com(2, 2); }

void run(Simulation& simulation, double duration) {
  const int steps = static_cast<int>(std::lround(duration / simulation.settings().step));
  for (int k = 0; k < steps; ++k) ASSERT_EQ(simulation.step().status, SolveStatus::converged);
}

// Each point of the face slides across its lever: I ω̇ = −μ m g r, until it stops within one step.
TEST(SpinningBall, StopsByTheFrictionOfItsFace) {
  constexpr double kFace = 5e-3, kSpin = 10.0;
  Scene scene = ballOnFace(kFace);
  scene.robot.base_angular_velocity = {0.0, 0.0, kSpin};
  Simulation simulation(scene);
  const double mass = simulation.model().totalMass();
  const double rate = kFriction * mass * kGravity * kFace / inertiaOf(simulation), stop = kSpin / rate;
  run(simulation, std::floor(1e3 * stop) * 1e-3);
  EXPECT_NEAR(simulation.state().nu[5], kSpin - rate * simulation.time(), 1e-7 * kSpin);
  run(simulation, 2e-3);
  EXPECT_LT(simulation.state().nu.norm(), 1e-9);
  EXPECT_LT(simulation.state().q.head<2>().norm(), 1e-9);
}

TEST(SpinningBall, SpinsForEverOnAPoint) {
  Scene scene = ballOnFace(0.0);
  scene.robot.base_angular_velocity = {0.0, 0.0, 10.0};
  Simulation simulation(scene);
  run(simulation, 2.0);
  EXPECT_NEAR(simulation.state().nu[5], 10.0, 1e-9);
}

// A face is no flat foot: its pressure has no moment about axes along the ground, and nothing of it slides.
TEST(RollingBall, IsNotBrakedByItsFace) {
  Scene scene = ballOnFace(0.02);
  scene.robot.base_velocity = {2.0, 0.0, 0.0};
  scene.robot.base_angular_velocity = {0.0, 2.0 / kRadius, 0.0};
  Simulation simulation(scene);
  for (int k = 0; k < 5000; ++k) {
    ASSERT_EQ(simulation.step().status, SolveStatus::converged);
    ASSERT_FALSE(simulation.result().impact);
  }
  EXPECT_NEAR(simulation.state().nu[0], 2.0, 1e-7);
  EXPECT_NEAR(simulation.state().q[2], kRadius, 1e-9);
}

TEST(RollingBall, RollsDownASlopeOnItsFaceAsOnAPoint) {
  constexpr double kSlope = 0.1, kTime = 1.0;
  Scene scene = ballOnFace(0.01);
  scene.ground.incline = kSlope;
  scene.robot.on_ground = true;
  Simulation simulation(scene);
  run(simulation, kTime);
  const double share = 1.0 / (1.0 + inertiaOf(simulation) / (simulation.model().totalMass() * kRadius * kRadius));
  EXPECT_NEAR(simulation.state().nu.head<3>().norm(), share * kGravity * std::sin(kSlope) * kTime, 1e-6);
}

// Contensou: of points that turn fast, slow sliding changes the directions only. The drag is μ m g u/(2 ω r) for
// u ≪ ω r: as that of a viscous fluid, instead of μ m g. It turns the ball, too, u̇ = −(1/m + R²/I) drag, while ω falls
// with μ m g r/I: together u ∝ ω^k with k = (1 + m R²/I) (I/m)/(2 r²). On a
// point it would have stopped to slide within the first step.
TEST(SpinningBall, SlidesNearlyFreelyWhileItTurns) {
  constexpr double kFace = 0.01, kSpin = 50.0, kSlip = 0.01 * kSpin * kFace;
  Scene scene = ballOnFace(kFace);
  scene.robot.base_angular_velocity = {0.0, 0.0, kSpin};
  scene.robot.base_velocity = {kSlip, 0.0, 0.0};
  Simulation simulation(scene);
  run(simulation, 0.05);
  const double square = inertiaOf(simulation) / simulation.model().totalMass();  // of the radius of gyration
  const double power = (1.0 + kRadius * kRadius / square) * square / (2.0 * kFace * kFace);
  const double expected = kSlip * std::pow(simulation.state().nu[5] / kSpin, power);
  const double slip = simulation.state().nu[0] - kRadius * simulation.state().nu[4];
  EXPECT_LT(expected, 0.9 * kSlip);
  EXPECT_NEAR(slip, expected, 1e-4 * kSlip);  // terms of (u/(ω r))² are left out
}

// The same face where two bodies meet: the torque on one is that on the other.
TEST(SpinningBall, StopsOnAnotherBodyAsOnTheGround) {
  constexpr double kFace = 5e-3, kSpin = 10.0;
  for (const bool fixed : {true, false}) {
    Scene scene;
    scene.source = sourceDir() + "/scenes/test";
    SceneBody table, ball;
    table.name = "table";
    table.shape = "box";
    table.size = {1.0, 1.0, 0.1};
    table.position = {0.0, 0.0, 0.05};
    table.fixed = fixed;
    ball.name = "ball";
    ball.shape = "sphere";
    ball.radius = kRadius;
    ball.mass = 1.0;
    ball.face = kFace;
    ball.position = {0.1, 0.0, 0.1 + kRadius};
    ball.angular_velocity = {0.0, 0.0, kSpin};
    table.friction = ball.friction = kFriction;
    scene.bodies = {table, ball};
    Simulation simulation(scene);
    const int spin = simulation.model().freeVelocity(fixed ? 0 : 1) + 5;
    const double rate = kFriction * kGravity * kFace / (0.4 * kRadius * kRadius);
    run(simulation, 1.0);
    EXPECT_NEAR(simulation.state().nu[spin], kSpin - rate, 1e-6 * kSpin) << fixed;
  }
}

// Hunt and Crossley's ground is as stiff below a face as below a point, and as slippery.
TEST(SpinningBall, IsBrakedByItsFaceOnSoftGround) {
  constexpr double kFace = 5e-3, kSpin = 10.0;
  Scene scene = ballOnFace(kFace);
  scene.physics.contact = "compliant";
  scene.robot.base_angular_velocity = {0.0, 0.0, kSpin};
  Simulation simulation(scene);
  const double rate = kFriction * simulation.model().totalMass() * kGravity * kFace / inertiaOf(simulation);
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(simulation.step().status, SolveStatus::converged);
  EXPECT_NEAR(simulation.state().nu[5], kSpin - rate, 0.02 * rate);  // friction is regularised and taken at the end
  const double depth = simulation.model().totalMass() * kGravity / scene.physics.stiffness;
  EXPECT_NEAR(kRadius - simulation.state().q[2], depth, 0.01 * depth);
}

TEST(ContactFace, CarriesAsAPointDoes) {
  Scene scene = ballOnFace(0.01);
  Simulation simulation(scene);
  run(simulation, 0.1);
  ASSERT_EQ(simulation.result().contacts.size(), 6u);
  const double share = simulation.model().totalMass() * kGravity / 6.0;
  for (const ContactReport& contact : simulation.result().contacts) {
    EXPECT_NEAR(contact.force_C.z(), share, 1e-6 * share);
    EXPECT_LT(contact.force_C.head<2>().norm(), 1e-6 * share);
  }
  EXPECT_LT(simulation.state().nu.norm(), 1e-9);
}

}  // namespace
}  // namespace footfall::physics

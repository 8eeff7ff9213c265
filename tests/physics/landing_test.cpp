#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

/// How a box is turned when it arrives, and how far its lowest point is below its centre.
struct Attitude {
  const char* name;
  double roll, pitch, reach;
  bool balances;  ///< exactly: it stays on its edge or corner
};

class FallingBox : public testing::TestWithParam<Attitude> {};

TEST_P(FallingBox, LandsOnTheGroundAndOnlyLosesEnergy) {
  const Attitude& attitude = GetParam();
  Scene scene = boxScene();
  scene.robot.base_rpy = {attitude.roll, attitude.pitch, 0.3};
  scene.robot.base_position = {0.0, 0.0, 0.5 + attitude.reach};
  Simulation simulation(scene);
  const double initial = simulation.dynamics().energy().total();
  double deepest = 0.0, minimum = initial, rise = 0.0;
  for (int k = 0; k < 3000; ++k) {
    ASSERT_NE(simulation.step().status, SolveStatus::failed) << simulation.describeFailure();
    for (const ContactReport& contact : simulation.result().contacts) deepest = std::max(deepest, -contact.gap);
    const double energy = simulation.dynamics().energy().total();
    rise = std::max(rise, energy - minimum);
    minimum = std::min(minimum, energy);
  }
  EXPECT_LT(deepest, 50e-6);
  EXPECT_LT(rise, 1e-6 * initial);
  EXPECT_LT(simulation.state().nu.norm(), 1e-6);  // at rest
  EXPECT_NEAR(simulation.state().q[2], attitude.balances ? attitude.reach : 0.1, 50e-6);
}

/// Height of a cube's centre above its lowest corner.
double reachOf(double roll, double pitch) {
  return 0.1 * (std::abs(std::sin(pitch)) +
                std::abs(std::cos(pitch)) * (std::abs(std::sin(roll)) + std::abs(std::cos(roll))));
}

Attitude attitude(const char* name, double roll, double pitch, bool balances = false) {
  return {name, roll, pitch, reachOf(roll, pitch), balances};
}

const double kCorner = -std::atan(std::sqrt(0.5));

INSTANTIATE_TEST_SUITE_P(Attitudes, FallingBox,
                         testing::Values(attitude("flat", 0.0, 0.0), attitude("nearlyFlat", 0.02, 0.01),
                                         attitude("balancedEdge", M_PI / 4, 0.0, true),
                                         attitude("edge", M_PI / 4 + 0.1, 0.0),
                                         attitude("balancedCorner", M_PI / 4, kCorner, true),
                                         attitude("corner", M_PI / 4 + 0.1, kCorner + 0.07)),
                         [](const auto& test) { return std::string(test.param.name); });

Scene ballScene(double restitution) {
  Scene scene = freeBody("sphere");
  scene.contacts.push_back({"", "sphere", {Vector3d::Zero()}, 0.1});
  scene.robot.base_position = {0.0, 0.0, 1.1};
  scene.ground.restitution = restitution;
  return scene;
}

TEST(BouncingBall, ComesBackToTheSquareOfItsRestitution) {
  const double restitution = 0.8, height = 1.0;
  Simulation simulation(ballScene(restitution));
  bool bounced = false;
  double top = 0.0;
  for (int k = 0; k < 1200; ++k) {
    bounced = simulation.step().impact || bounced;
    if (bounced && simulation.state().nu[2] > 0.0) top = std::max(top, simulation.state().q[2] - 0.1);
    if (bounced && simulation.state().nu[2] < 0.0) break;
  }
  EXPECT_NEAR(top, restitution * restitution * height, 0.01 * restitution * restitution * height);
}

struct Bounces {
  double e, height, dt;
};
class BouncingBallAtRest : public testing::TestWithParam<Bounces> {};

TEST_P(BouncingBallAtRest, IsReachedWhenTheSeriesOfItsBouncesSays) {
  const auto [e, height, dt] = GetParam();
  Scene scene = ballScene(e);
  scene.robot.base_position.z() = 0.1 + height;
  scene.physics.step = dt;
  Simulation simulation(scene);
  const double expected = std::sqrt(2.0 * height / kGravity) * (1.0 + e) / (1.0 - e);
  double last_moving = 0.0;
  while (simulation.time() < 1.2 * expected) {
    simulation.step();
    // What is slower than gravity makes it in a tenth of a step does not bounce, but settles.
    if (std::abs(simulation.state().nu[2]) > 0.1 * kGravity * dt) last_moving = simulation.time();
  }
  // What rises by less than a micrometre is not told from what rests.
  const double below_a_micrometre = 2.0 * std::sqrt(2e-6 / kGravity) / (1.0 - e);
  EXPECT_NEAR(last_moving, expected, 1e-3 * expected + below_a_micrometre);
}

// In steps of 20 µs the last bounces approach by less than a micrometre a step.
INSTANTIATE_TEST_SUITE_P(Restitutions, BouncingBallAtRest,
                         testing::Values(Bounces{0.5, 1.0, 1e-3}, Bounces{0.8, 1.0, 1e-3}, Bounces{0.9, 1.0, 1e-3},
                                         Bounces{0.9, 0.05, 2e-4}, Bounces{0.9, 0.05, 2e-5},
                                         Bounces{0.95, 0.01, 2e-5}));

// All of its way to the ground is less than what it would travel in a few long steps.
TEST(BouncingBall, ComesBackHoweverShortTheStep) {
  for (const double dt : {1e-3, 1e-4, 2e-5, 1e-5}) {
    Scene scene = ballScene(1.0);
    scene.robot.base_position.z() = 0.1 + 1e-4;
    scene.physics.step = dt;
    Simulation simulation(scene);
    double top = 0.0;
    while (simulation.time() < 0.1)
      if (simulation.step(); simulation.time() > 0.08) top = std::max(top, simulation.state().q[2] - 0.1);
    EXPECT_NEAR(top, 1e-4, dt < 1e-3 ? 0.05 * 1e-4 : 1e-4) << dt;
  }
}

TEST(BouncingBall, ComesToRestAndNeverGainsEnergy) {
  Simulation simulation(ballScene(0.8));
  double minimum = simulation.dynamics().energy().total();
  const double initial = minimum;
  for (int k = 0; k < 8000; ++k) {
    simulation.step();
    const double energy = simulation.dynamics().energy().total();
    ASSERT_LT(energy - minimum, 1e-6 * initial) << "t = " << simulation.time();
    minimum = std::min(minimum, energy);
  }
  EXPECT_NEAR(simulation.state().q[2], 0.1, 1e-6);
}

TEST(ElasticBox, BouncesAHundredTimesWithoutLosingEnergy) {
  // Flat on four corners: the work of the impulses is zero, and rounding must not take it for a gain. It bounces where
  // it meets the ground within a step, and the parabolas in between are exact.
  Scene scene = boxScene();
  scene.robot.base_position = {0.0, 0.0, 0.3};
  scene.ground.restitution = 1.0;
  Simulation simulation(scene);
  const double energy = simulation.dynamics().energy().total();
  int bounces = 0;
  while (simulation.time() < 60.0 && bounces < 100) {
    if (!simulation.step().impact) continue;
    ++bounces;
    // Each impact is solved to 1e-10 m/s, at both sides of 2 m/s.
    ASSERT_NEAR(simulation.dynamics().energy().total(), energy, bounces * 4e-10)
        << "bounce " << bounces << " at t = " << simulation.time();
  }
  EXPECT_EQ(bounces, 100);
  // Each takes twice as long as the first fall.
  EXPECT_NEAR(simulation.time(), 199.0 * std::sqrt(2.0 * 0.2 / kGravity), 2.0 * scene.physics.step);
}

TEST(Landing, ImpulsesOfTheImpactCarryTheMomentum) {
  Scene scene = boxScene();
  scene.robot.base_position = {0.0, 0.0, 0.1 + 1e-3};
  scene.robot.base_velocity = {0.5, 0.0, -3.0};
  Simulation simulation(scene);
  const double mass = simulation.model().totalMass();
  const Vector3d before = mass * scene.robot.base_velocity;
  Vector3d impulses = Vector3d::Zero();
  const int steps = 5;
  for (int k = 0; k < steps; ++k) {
    for (const ContactReport& contact : simulation.step().contacts)
      impulses += contact.impulse_W + 1e-3 * contact.force_W;
  }
  const Vector3d expected =
      mass * simulation.state().nu.head<3>() - before - steps * 1e-3 * mass * scene.physics.gravity;
  EXPECT_LT((impulses - expected).norm(), 1e-10 * before.norm());
}

TEST(Landing, ForcesStayOfTheSizeOfTheWeightWhileTheImpactIsReportedApart) {
  Scene scene = boxScene();
  scene.robot.base_position = {0.0, 0.0, 0.3};
  Simulation simulation(scene);
  const double weight = simulation.model().totalMass() * kGravity;
  double largest_force = 0.0, impulse = 0.0;
  for (int k = 0; k < 500; ++k) {
    double force = 0.0;
    for (const ContactReport& contact : simulation.step().contacts) {
      force += contact.force_C.z();
      impulse += contact.impulse_C.z();
    }
    largest_force = std::max(largest_force, force);
  }
  EXPECT_LT(largest_force, 5.0 * weight);
  const double arrival = simulation.model().totalMass() * std::sqrt(2.0 * kGravity * 0.2);
  EXPECT_NEAR(impulse, arrival, 0.02 * arrival);
}

}  // namespace
}  // namespace footfall::physics

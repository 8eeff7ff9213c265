#include <gtest/gtest.h>

#include <cmath>

#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

/// A block with three different principal moments, turning about its middle axis: it tumbles.
Scene tumblingBlock(const std::string& integrator) {
  Scene scene = freeBody("rocking_block");
  scene.physics.integrator = integrator;
  scene.physics.gravity.setZero();
  scene.robot.base_velocity = {0.3, -0.2, 0.1};
  scene.robot.base_angular_velocity = {0.3, 4.0, 0.2};
  return scene;
}

double relative(const Vector6d& a, const Vector6d& b) { return (a - b).norm() / b.norm(); }

TEST(FreeFall, FollowsTheParabola) {
  Scene scene = freeBody("box");
  scene.physics.integrator = "midpoint";
  scene.robot.base_velocity = {1.0, 0.5, 2.0};
  Simulation simulation(scene);
  for (int k = 0; k < 1000; ++k) simulation.step();
  const double t = 1.0;
  // The midpoint rule is exact for a parabola; what is left is the rounding of a thousand sums.
  EXPECT_NEAR(simulation.state().q[0], 1.0 * t, 1e-12);
  EXPECT_NEAR(simulation.state().q[1], 0.5 * t, 1e-12);
  EXPECT_NEAR(simulation.state().q[2], 2.0 * t - 0.5 * kGravity * t * t, 1e-12);
}

class FreeFlight : public testing::TestWithParam<const char*> {};

TEST_P(FreeFlight, KeepsTheMomentumOfATumblingBody) {
  Simulation simulation(tumblingBlock(GetParam()));
  const Vector6d before = simulation.dynamics().momentum();
  for (int k = 0; k < 10000; ++k) simulation.step();
  EXPECT_LT(relative(simulation.dynamics().momentum(), before), 1e-12);
}

TEST_P(FreeFlight, GravityChangesTheMomentumByTheWeightTimesTime) {
  Scene scene = tumblingBlock(GetParam());
  scene.physics.gravity = {0.0, 0.0, -kGravity};
  Simulation simulation(scene);
  Vector6d expected = simulation.dynamics().momentum();
  for (int k = 0; k < 1000; ++k) simulation.step();
  expected[2] -= simulation.model().totalMass() * kGravity * 1.0;
  EXPECT_LT(relative(simulation.dynamics().momentum(), expected), 1e-12);
}

TEST_P(FreeFlight, KeepsTheMomentumOfARobotWhoseJointsMove) {
  Scene scene = freeBody("quadruped");
  scene.physics.integrator = GetParam();
  scene.physics.gravity.setZero();
  scene.robot.base_angular_velocity = {0.5, 1.0, -0.3};
  Simulation simulation(scene);
  State state = simulation.state();
  for (int i = 0; i < simulation.model().jointDofs(); ++i) state.nu[6 + i] = std::sin(1.0 + i);
  simulation.setState(state);
  const Vector6d before = simulation.dynamics().momentum();
  for (int k = 0; k < 1000; ++k) simulation.step();
  EXPECT_LT(relative(simulation.dynamics().momentum(), before), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Integrators, FreeFlight, testing::Values("semi_implicit_euler", "midpoint"),
                         [](const auto& test) { return std::string(test.param); });

/// Its right finger follows the left one, friction and dampers act within it.
TEST(FlyingGripper, KeepsTheMomentumAndGainsNoEnergyWhileAFingerFollowsTheOther) {
  Scene scene = freeBody("slider_gripper");
  scene.physics.gravity.setZero();
  scene.robot.base_angular_velocity = {0.5, 1.0, -0.3};
  Simulation simulation(scene);
  ASSERT_TRUE(simulation.model().hasMimicJoints());
  State state = simulation.state();
  for (int i = 0; i < simulation.model().jointDofs(); ++i) state.nu[6 + i] = 0.1 * std::sin(1.0 + i);
  simulation.setState(state);
  const Vector6d before = simulation.dynamics().momentum();
  double energy = simulation.dynamics().energy().kinetic;
  for (int k = 0; k < 1000; ++k) {
    simulation.step();
    const double now = simulation.dynamics().energy().kinetic;
    EXPECT_LT(now, energy * (1.0 + 1e-9)) << k;  // second order: 1e-9 of a step of 1 ms may come back
    energy = now;
  }
  EXPECT_LT(relative(simulation.dynamics().momentum(), before), 1e-12);
}

TEST(Tumbling, MidpointKeepsTheEnergy) {
  Simulation simulation(tumblingBlock("midpoint"));
  const double before = simulation.dynamics().energy().kinetic;
  double worst = 0.0;
  for (int k = 0; k < 10000; ++k) {
    simulation.step();
    worst = std::max(worst, std::abs(simulation.dynamics().energy().kinetic - before));
  }
  EXPECT_LT(worst, 1e-6 * before);
}

/// Where the robot is after a fifth of a second, as one vector.
VectorXd flyFor(const std::string& integrator, double dt) {
  Scene scene = freeBody("quadruped");
  scene.physics.integrator = integrator;
  scene.physics.step = dt;
  for (const char* leg : {"lf", "rf", "lh", "rh"}) {  // far from all limits
    scene.robot.initial[std::string(leg) + "_hfe"] = 0.7;
    scene.robot.initial[std::string(leg) + "_kfe"] = -1.4;
  }
  scene.robot.base_angular_velocity = {1.0, 2.0, -1.5};
  Simulation simulation(scene);
  State state = simulation.state();
  for (int i = 0; i < simulation.model().jointDofs(); ++i) state.nu[6 + i] = 0.4 * std::sin(1.0 + i);
  simulation.setState(state);
  const int steps = static_cast<int>(std::lround(0.2 / dt));
  for (int k = 0; k < steps; ++k) simulation.step();
  VectorXd x(simulation.model().nq() + simulation.model().nv());
  x << simulation.state().q, simulation.state().nu;
  return x;
}

struct Order {
  const char* integrator;
  double order, coarse;
};

class IntegratorOrder : public testing::TestWithParam<Order> {};

TEST_P(IntegratorOrder, IsSeenWhenTheStepIsHalved) {
  const auto& [integrator, order, coarse] = GetParam();
  const VectorXd truth = flyFor("rk4", 0.25e-3);
  const double error = (flyFor(integrator, coarse) - truth).norm();
  const double finer = (flyFor(integrator, coarse / 2.0) - truth).norm();
  EXPECT_NEAR(std::log2(error / finer), order, 0.15) << "errors " << error << " and " << finer;
}

INSTANTIATE_TEST_SUITE_P(Integrators, IntegratorOrder,
                         testing::Values(Order{"semi_implicit_euler", 1.0, 2e-3}, Order{"explicit_euler", 1.0, 2e-3},
                                         Order{"midpoint", 2.0, 4e-3}, Order{"rk4", 4.0, 5e-3}),
                         [](const auto& test) { return std::string(test.param.integrator); });

/// Springs that answer within a step cannot be taken explicitly: velocities were 1e171 rad/s after one step.
TEST(StiffSprings, AreImplicitInFlightWithEveryIntegrator) {
  for (const std::string integrator : {"rk4", "midpoint", "second_order"}) {
    Simulation simulation(
        parseScene("robot: {model: quadruped, base: {position: [0, 0, 5], angular_velocity: [1, 2, 3]}}\n"
                   "physics: {integrator: " +
                       integrator + "}\n",
                   "held.yaml"));
    for (int k = 0; k < 200; ++k) {
      const StepResult& result = simulation.step();
      ASSERT_EQ(result.status, SolveStatus::converged);
      ASSERT_LT(simulation.model().jointVelocities(simulation.state().nu).lpNorm<Eigen::Infinity>(), 1.0)
          << integrator << ", step " << k;
      if (integrator != "second_order") {
        ASSERT_EQ(result.order, 1);
      }
    }
  }
}

TEST(StiffSprings, SoftOnesKeepTheOrderOfTheIntegrator) {
  Simulation simulation(
      parseScene("robot: {model: quadruped, base: {position: [0, 0, 5]}}\n"
                 "hold: {stiffness: 1, damping: 0.01}\n"
                 "physics: {integrator: rk4}\n",
                 "held.yaml"));
  EXPECT_EQ(simulation.step().order, 4);
}

/// A limp robot with light links that whip around by half a radian a step and hit their limits: forces of such a step
/// are not those of its middle, and may do anything. Energy never rises by more than a share of it.
double largestRise(const std::string& scene) {
  constexpr int kSteps = 200;
  Simulation simulation(parseScene(scene, "whips.yaml"));
  double lowest = simulation.dynamics().energy().total(), largest = 0.0;
  for (int k = 0; k < kSteps; ++k) {
    EXPECT_NE(simulation.step().status, SolveStatus::failed) << "step " << k;
    const Energy energy = simulation.dynamics().energy();
    largest = std::max(largest, (energy.total() - lowest) / energy.kinetic);
    lowest = std::min(lowest, energy.total());
  }
  return largest;
}

TEST(WhippingLinks, MakeNoEnergyAtTheirLimits) {
  // Until it was tried 278 J of 415 (0.67) were made; one hundredth is what an event may make.
  EXPECT_LT(
      largestRise("ground:\n"
                  "  - {shape: plane, friction: 1, restitution: 1}\n"
                  "  - {shape: stairs, steps: 4, rise: 0.1, run: 0.3, width: 2, friction: 1, restitution: 1}\n"
                  "collisions: {separate_start: true}\n"
                  "robot:\n"
                  "  model: biped_rod_ankles\n"
                  "  base: {position: [0, 0, 0.9], rpy: [2.961790300281409, -0.3231400970478524, 2.1807899683485292],\n"
                  "         velocity: [-0.550964163152567, 1.3000206455640662, 0.4109553880429697],\n"
                  "         angular_velocity: [-2.3021187533567984, -4.931297955494134, -3.643019313209398]}\n"
                  "contacts: [{frame: all, collision: true}]\n"
                  "hold: {enabled: false}\n"
                  "physics: {step: 4 ms}\n"),
      0.02);
}

TEST(WhippingLinks, KeepTheirMomentumThere) {
  Simulation simulation(
      parseScene("robot: {model: biped_rod_ankles, base: {position: [0, 0, 5], angular_velocity: [8, -15, 12]}}\n"
                 "hold: {enabled: false}\n"
                 "physics: {step: 4 ms, gravity: [0, 0, 0]}\n",
                 "whips.yaml"));
  const Vector6d momentum = simulation.dynamics().momentum();
  const double energy = simulation.dynamics().energy().total();
  for (int k = 0; k < 500; ++k) {
    ASSERT_NE(simulation.step().status, SolveStatus::failed) << "step " << k;
    ASSERT_LT((simulation.dynamics().momentum() - momentum).norm(), 1e-9 * momentum.norm()) << "step " << k;
    ASSERT_LT(simulation.dynamics().energy().total(), 1.01 * energy) << "step " << k;
  }
}

}  // namespace
}  // namespace footfall::physics

#include <gtest/gtest.h>

#include "footfall/run/instrumented_simulation.hpp"
#include "physics/scene_tools.hpp"
#include "tools/count_allocations.hpp"

namespace footfall {
namespace {

template <class AnySimulation>
long allocationsDuring(AnySimulation& simulation, int steps) {
  const long before = allocations;
  for (int k = 0; k < steps; ++k) simulation.step();
  return allocations - before;
}

TEST(Allocations, AreCounted) {
  const long before = allocations;
  const VectorXd v = VectorXd::Zero(100);
  EXPECT_GT(allocations, before);
  EXPECT_EQ(v.sum(), 0.0);
}

TEST(Step, AllocatesNothingAfterTheFirstCall) {
  Scene scene = physics::sceneFile("demo.yaml");
  scene.pushes[0].start = 0.05;
  Simulation simulation(scene);
  simulation.step();
  EXPECT_EQ(allocationsDuring(simulation, 1000), 0);
}

TEST(Sensors, AllocateNothingAfterTheFirstCall) {
  Scene scene = physics::sceneFile("icub_sensors.yaml");
  scene.pushes[0].start = 0.05;
  InstrumentedSimulation robot(scene);
  robot.step();
  EXPECT_EQ(allocationsDuring(robot, 1000), 0);
}

TEST(Motors, AllocateNothingAfterTheFirstCall) {
  Scene scene = physics::sceneFile("icub_motors.yaml");
  scene.pushes[0].start = 0.05;
  Simulation simulation(scene);
  simulation.step();
  EXPECT_EQ(allocationsDuring(simulation, 1000), 0);
}

TEST(Step, AllocatesNothingWhileBoxesFallAndLand) {
  Scene scene = physics::sceneFile("falling_box.yaml");
  Simulation simulation(scene);
  simulation.step();
  EXPECT_EQ(allocationsDuring(simulation, 1000), 0);
}

TEST(Loops, AllocateNothingWhileARobotLands) {
  Simulation simulation(physics::sceneFile("biped_rod_ankles.yaml"));
  simulation.step();
  EXPECT_EQ(allocationsDuring(simulation, 1000), 0);
}

TEST(Loops, AllocateNothingWhileTheySwing) {
  for (const char* integrator : {"second_order", "semi_implicit_euler", "rk4", "midpoint"}) {
    SCOPED_TRACE(integrator);
    Simulation simulation(physics::sceneFile("four_bar.yaml", {{"physics.integrator", integrator}}));
    simulation.step();
    EXPECT_EQ(allocationsDuring(simulation, 1000), 0);
  }
}

TEST(Ties, AllocateNothingOnceTheyAreMade) {
  Simulation simulation(physics::sceneFile("gripper.yaml", {{"physics.step", "1 ms"}}));
  for (int k = 0; k < 300; ++k) simulation.step();
  simulation.tie({.between = {"world", "box"}, .name = "a name that no short text holds in itself"});
  simulation.step();
  EXPECT_EQ(allocationsDuring(simulation, 100), 0);
  simulation.release("a name that no short text holds in itself");
  simulation.step();
  EXPECT_EQ(allocationsDuring(simulation, 100), 0);
}

/// A fresh page of memory takes as long as a small solve: megabytes of them were most of a step that made a tie.
TEST(Ties, KeepTheMemoryOfTheSolver) {
  const auto world = buildWorld(physics::sceneFile("gripper.yaml"));
  std::size_t before = allocated_bytes;
  Simulation simulation(world);
  const std::size_t at_first = allocated_bytes - before;
  before = allocated_bytes;
  simulation.tie({.between = {"world", "box"}, .name = "a tie"});
  EXPECT_LT(allocated_bytes - before, at_first / 2);
}

TEST(Step, HasRoomForWhatTouchesFromTheStart) {
  Simulation simulation(physics::sceneFile("wall.yaml"));
  StepProfile profile;
  simulation.setProfile(&profile);
  simulation.step();
  EXPECT_GT(simulation.result().contacts.size(), 200u);
  EXPECT_EQ(profile.growths, 0);
}

TEST(Bounces, AllocateNothing) {
  Simulation simulation(physics::sceneFile("bouncing_ball.yaml"));
  simulation.step();
  EXPECT_EQ(allocationsDuring(simulation, 2000), 0);
}

TEST(Forces, OfSpringsAndFieldsAllocateNothing) {
  for (const char* integrator : {"second_order", "semi_implicit_euler", "rk4", "midpoint"}) {
    SCOPED_TRACE(integrator);
    Scene scene = physics::freeBody("rr_arm");
    scene.physics.integrator = integrator;
    scene.springs = {{"", "", {"", "base", {0.1, 0, 0}}, {"", "tip", {0, 0, 0}}, 30.0, 0.5, 0.2}};
    Simulation simulation(scene);
    simulation.setForceField([](const ForceInstant& at, VectorXd& tau) { tau[0] += at.time; });
    simulation.step();
    EXPECT_EQ(allocationsDuring(simulation, 100), 0);
  }
}

class Integrators : public testing::TestWithParam<const char*> {};

TEST_P(Integrators, AllocateNothingInFlight) {
  Scene scene = physics::freeBody("quadruped");
  scene.physics.integrator = GetParam();
  Simulation simulation(scene);
  simulation.step();
  EXPECT_EQ(allocationsDuring(simulation, 100), 0);
}

INSTANTIATE_TEST_SUITE_P(All, Integrators,
                         testing::Values("second_order", "semi_implicit_euler", "explicit_euler", "rk4", "midpoint"));

}  // namespace
}  // namespace footfall

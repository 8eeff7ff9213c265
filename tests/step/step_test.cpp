#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <sstream>
#include <thread>

#include "footfall/base/error.hpp"
#include "physics/scene_tools.hpp"

namespace footfall {
namespace {

using physics::sceneFile;

bool sameBits(const VectorXd& a, const VectorXd& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0;
}

void expectSameBits(const State& a, const State& b) {
  EXPECT_EQ(a.time, b.time);
  EXPECT_TRUE(sameBits(a.q, b.q));
  EXPECT_TRUE(sameBits(a.nu, b.nu));
  EXPECT_TRUE(a.warm.candidate == b.warm.candidate);
  EXPECT_TRUE(sameBits(a.warm.impulse, b.warm.impulse));
  EXPECT_EQ(a.warm.minimum_norm, b.warm.minimum_norm);
}

/// iCub, pushed early so that contacts stick, slide and open within the test.
Scene pushedRobot() {
  Scene scene = sceneFile("demo.yaml", {{"ground.friction", "0.3"}});
  scene.pushes[0].start = 0.02;
  scene.pushes[0].force *= 4.0;
  return scene;
}

State runFor(const Scene& scene, int steps) {
  Simulation simulation(scene);
  for (int k = 0; k < steps; ++k) simulation.step();
  return simulation.state();
}

TEST(Step, SameRunTwiceGivesTheSameBits) { expectSameBits(runFor(pushedRobot(), 500), runFor(pushedRobot(), 500)); }

TEST(Step, RunsInOtherThreadsDoNotChangeTheBits) {
  const State alone = runFor(pushedRobot(), 300);
  std::vector<State> beside(4);
  std::vector<std::thread> threads;
  threads.reserve(beside.size());
  for (State& state : beside) threads.emplace_back([&state] { state = runFor(pushedRobot(), 300); });
  for (std::thread& thread : threads) thread.join();
  for (const State& state : beside) expectSameBits(state, alone);
}

TEST(Step, MeasuringItsStagesDoesNotChangeTheBits) {
  Simulation measured(pushedRobot());
  StepProfile profile;
  measured.setProfile(&profile);
  for (int k = 0; k < 100; ++k) measured.step();
  expectSameBits(measured.state(), runFor(pushedRobot(), 100));
  for (const StepStage stage : {StepStage::dynamics, StepStage::contacts, StepStage::free_velocity, StepStage::forces,
                                StepStage::motion, StepStage::report})
    EXPECT_GT(profile.seconds[static_cast<std::size_t>(stage)], 0.0) << nameOf(stage);
}

TEST(Step, ReportsTheFrictionOfTheSurface) {
  Simulation simulation(pushedRobot());
  simulation.step();
  ASSERT_FALSE(simulation.result().contacts.empty());
  for (const ContactReport& contact : simulation.result().contacts) EXPECT_EQ(contact.friction, 0.3);
}

TEST(Step, FreshWorkspaceGivesTheSameBits) {
  // The second simulation starts from the middle: its workspace has seen none of the first half.
  const Scene scene = pushedRobot();
  Simulation first(scene);
  for (int k = 0; k < 150; ++k) first.step();
  Simulation second(scene);
  second.setState(first.state());
  for (int k = 0; k < 150; ++k) {
    first.step();
    second.step();
  }
  expectSameBits(first.state(), second.state());
}

/// A ball in a funnel of twelve planes touches all of them: a workspace that has seen none of that makes room for them
/// in its first step.
TEST(Step, FreshWorkspaceWithTooLittleRoomGivesTheSameBits) {
  std::string text =
      "robot: {model: sphere, base: {position: [0, 0, 0.2]}}\n"
      "contacts: [{frame: sphere, footprint: [[0, 0, 0]], radius: 0.1}]\nground:\n";
  for (int heading = 0; heading < 360; heading += 30)
    text += "  - {shape: plane, incline: 50 deg, heading: " + std::to_string(heading) + " deg, friction: 0.5}\n";
  for (const char* integrator : {"second_order", "semi_implicit_euler", "rk4"}) {
    Scene scene = parseScene(text, "funnel.yaml");
    scene.physics.integrator = integrator;
    Simulation first(scene);
    std::size_t most = 0;
    for (int k = 0; k < 300; ++k) {
      Simulation second(scene);
      second.setState(first.state());
      second.step();
      first.step();
      expectSameBits(first.state(), second.state());
      most = std::max(most, first.result().contacts.size());
    }
    EXPECT_EQ(most, 12U) << integrator;
  }
}

TEST(Step, SavedAndRestoredStateGoesOnBitForBit) {
  const Scene scene = pushedRobot();
  Simulation simulation(scene);
  for (int k = 0; k < 120; ++k) simulation.step();
  std::stringstream file;
  saveState(simulation.state(), simulation.model(), file);
  for (int k = 0; k < 200; ++k) simulation.step();
  Simulation restored(scene);
  restored.setState(loadState(restored.model(), file, "memory"));
  for (int k = 0; k < 200; ++k) restored.step();
  expectSameBits(simulation.state(), restored.state());
}

TEST(Step, RefusesSizesThatDoNotFit) {
  Simulation simulation(sceneFile("sliding_block.yaml"));
  State state = simulation.state();
  state.q.resize(3);
  EXPECT_THROW(simulation.setState(state), Error);
}

TEST(Settings, RefuseAStepThatDoesNotAdvance) {
  Settings settings;
  settings.step = -1e-3;
  EXPECT_THROW(validate(settings), Error);
  settings.step = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(validate(settings), Error);
}

TEST(Settings, NameTheChoicesWhenAQpSolverIsAskedForTheCone) {
  EXPECT_THROW(
      Simulation(sceneFile("sliding_block.yaml", {{"physics.contact", "gauss"}, {"physics.friction_law", "cone"}})),
      Error);
}

}  // namespace
}  // namespace footfall

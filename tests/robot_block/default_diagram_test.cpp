#include <sstream>

#include "footfall/sensor/instrumented_simulation.hpp"
#include "robot_block/block_tools.hpp"

namespace footfall {
namespace {

using physics::sceneFile;

/// Pushed early, so that what a push does is part of a short test.
Scene withEarlyPush(const std::string& file) {
  Scene scene = sceneFile(file);
  for (ScenePush& push : scene.pushes) push.start = 0.05;
  return scene;
}

class DefaultDiagram : public testing::TestWithParam<const char*> {};

TEST_P(DefaultDiagram, GivesTheSameBitsAsTheSimulation) {
  const Scene scene = withEarlyPush(GetParam());
  InstrumentedSimulation reference(scene);
  const Diagram diagram = defaultDiagram(scene).build({.step = scene.physics.step});
  Context context = diagram.makeContext();
  for (int k = 0; k < 400; ++k) {
    reference.step();
    ASSERT_TRUE(diagram.step(context)) << context.stopReason();
  }
  expectSameBits(robotState(diagram, context, "robot"), reference.simulation().state());
  if (!reference.simulation().motors().empty()) {
    const VectorXd motors = context.discreteState(diagram.block("motors"));
    EXPECT_TRUE(sameBits(motors, reference.simulation().state().motors));
  }
}

TEST_P(DefaultDiagram, SavedAndRestoredGoesOnBitForBit) {
  const Scene scene = withEarlyPush(GetParam());
  const Diagram diagram = defaultDiagram(scene).build({.step = scene.physics.step});
  Context first = diagram.makeContext();
  for (int k = 0; k < 60; ++k) diagram.step(first);
  std::stringstream file;
  first.save(file);
  Context second = diagram.makeContext();
  second.load(file, "file");
  for (int k = 0; k < 60; ++k) {
    diagram.step(first);
    diagram.step(second);
  }
  expectSameBits(robotState(diagram, first, "robot"), robotState(diagram, second, "robot"));
}

INSTANTIATE_TEST_SUITE_P(Scenes, DefaultDiagram,
                         testing::Values("icub.yaml", "demo.yaml", "icub_motors.yaml", "anymal_c.yaml",
                                         "stewart_platform.yaml", "icub_sensors.yaml", "bouncing_ball.yaml",
                                         "push_ups.yaml"));

TEST(DefaultDiagram, ReadsTheSensorsOfTheScene) {
  const Scene scene = sceneFile("icub_sensors.yaml");
  InstrumentedSimulation reference(scene);
  const Diagram diagram = defaultDiagram(scene).build({.step = scene.physics.step});
  Context context = diagram.makeContext();
  for (int k = 0; k < 50; ++k) {
    reference.step();
    diagram.step(context);
  }
  diagram.evaluate(context);
  for (const SensorChannel& channel : reference.sensors().channels()) {
    if (channel.components.empty()) continue;
    const SensorReading reading = reference.read(channel);
    if (!reading.available()) continue;
    EXPECT_TRUE(sameBits(context.signal("sensors." + channel.name), reading.values)) << channel.name;
  }
}

}  // namespace
}  // namespace footfall

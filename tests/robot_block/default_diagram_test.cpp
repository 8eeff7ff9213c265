#include <filesystem>
#include <sstream>

#include "footfall/robot_block/diagram_robot.hpp"
#include "footfall/run/instrumented_simulation.hpp"
#include "robot_block/block_tools.hpp"
#include "tools/source_dir.hpp"

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

/// What a recorder sees of the robot in a diagram is what it sees of a simulation.
TEST_P(DefaultDiagram, ShowsTheRobotAsTheSimulationDoes) {
  const Scene scene = withEarlyPush(GetParam());
  InstrumentedSimulation reference(scene);
  const Diagram diagram = defaultDiagram(scene).build({.step = scene.physics.step});
  Context context = diagram.makeContext();
  DiagramRobot robot(diagram, context);
  const ExternalWrench pull{LinkIndex(0), Vector3d(0.0, 0.01, 0.0), (Vector6d() << 3, 2, 1, 0.1, 0, 0).finished()};
  for (int k = 0; k < 120; ++k) {
    const std::vector<ExternalWrench> pulls(k >= 40 && k < 80 ? 1 : 0, pull);
    reference.simulation().input().wrenches = pulls;
    robot.setPulls(pulls);
    reference.step();
    ASSERT_TRUE(robot.due());
    ASSERT_TRUE(diagram.step(context)) << context.stopReason();
  }
  expectSameBits(robot.state(), reference.state());
  EXPECT_TRUE(sameBits(robot.state().motors, reference.state().motors));
  EXPECT_TRUE(sameBits(robot.result().joint_torque, reference.result().joint_torque));
  EXPECT_EQ(robot.result().contacts.size(), reference.result().contacts.size());
  ASSERT_EQ(robot.motors().size(), reference.motors().size());
  for (std::size_t m = 0; m < robot.motors().size(); ++m)
    EXPECT_EQ(robot.motors()[m].torque, reference.motors()[m].torque);
  EXPECT_EQ(robot.sensors().channels().size(), reference.sensors().channels().size());
  EXPECT_TRUE(sameBits(robot.sensorState().memory, reference.sensorState().memory));
}

TEST_P(DefaultDiagram, StartsFromTheStateOfASimulation) {
  const Scene scene = withEarlyPush(GetParam());
  InstrumentedSimulation reference(scene);
  for (int k = 0; k < 30; ++k) reference.step();
  const Diagram diagram = defaultDiagram(scene).build({.step = scene.physics.step});
  Context context = diagram.makeContext();
  DiagramRobot robot(diagram, context);
  robot.setState(reference.state());
  robot.setSensorState(reference.sensorState());
  for (int k = 0; k < 60; ++k) {
    reference.step();
    diagram.step(context);
  }
  expectSameBits(robot.state(), reference.state());
  EXPECT_TRUE(sameBits(robot.sensorState().memory, reference.sensorState().memory));
}

INSTANTIATE_TEST_SUITE_P(Scenes, DefaultDiagram,
                         testing::Values("icub.yaml", "demo.yaml", "icub_motors.yaml", "anymal_c.yaml",
                                         "stewart_platform.yaml", "icub_sensors.yaml", "bouncing_ball.yaml",
                                         "push_ups.yaml", "gripper.yaml"));

/// Whatever a scene can say about what acts on its robot acts in its diagram, too.
TEST(DefaultDiagram, GivesTheSameBitsForEveryScene) {
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(sourceDir() + "/scenes")) {
    if (entry.path().extension() != ".yaml") continue;
    SCOPED_TRACE(entry.path().filename().string());
    const Scene scene = withEarlyPush(entry.path().filename().string());
    if (scene.diagram.given()) continue;
    InstrumentedSimulation reference(scene);
    const Diagram diagram = defaultDiagram(scene).build({.step = scene.physics.step});
    Context context = diagram.makeContext();
    for (int k = 0; k < 12; ++k) {
      reference.step();
      ASSERT_TRUE(diagram.step(context)) << context.stopReason();
    }
    expectSameBits(robotState(diagram, context, "robot"), reference.simulation().state());
    ++compared;
  }
  EXPECT_GT(compared, 30);
}

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

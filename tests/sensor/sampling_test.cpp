// Rate, delay, and what is remembered.

#include <gtest/gtest.h>

#include <sstream>

#include "footfall/run/instrumented_simulation.hpp"
#include "model/error_of.hpp"
#include "physics/scene_tools.hpp"
#include "sensor/sensor_tools.hpp"

namespace footfall {
namespace {

using test::MadeUpStep;
using test::sensor;

constexpr double kStep = 1e-3;  // [s]

/// Feeds steps in which the slider is at 0, 1, 2 … and returns what is read after each; -1: nothing yet.
std::vector<int> readingsAfterEachStep(double rate, double delay, int steps) {
  const Model model = test::slider();
  SensorSpec spec = sensor("encoder", "enc");
  spec.rate = rate;
  spec.delay = delay;
  SensorSuite suite(model, {spec}, kStep);
  SensorState state = suite.makeState();
  std::vector<int> read;
  for (int k = 0; k < steps; ++k) {
    MadeUpStep step(model);
    step.start.time = k * kStep;
    step.start.joints()[0] = k;
    step.start.nu[0] = 10.0 * k;
    suite.sample(step.record(), state);
    const SensorReading position = suite.read("enc.x.position", state);
    if (!position.available()) {
      EXPECT_TRUE(std::isnan(position.time));
      read.push_back(-1);
      continue;
    }
    read.push_back(static_cast<int>(position.values[0]));
    // All fields of a reading belong to one instant, and it is named.
    EXPECT_EQ(suite.read("enc.x.velocity", state).values[0], 10.0 * read.back());
    EXPECT_EQ(suite.read("enc.time", state).values[0], read.back() * kStep);
    EXPECT_EQ(position.time, read.back() * kStep);
  }
  return read;
}

TEST(Sampling, WithoutRateAndDelayEveryStepIsReadAtOnce) {
  EXPECT_EQ(readingsAfterEachStep(0.0, 0.0, 4), (std::vector<int>{0, 1, 2, 3}));
}

TEST(Sampling, HoldsASampleUntilTheNextOne) {
  EXPECT_EQ(readingsAfterEachStep(250.0, 0.0, 10), (std::vector<int>{0, 0, 0, 0, 4, 4, 4, 4, 8, 8}));
}

TEST(Sampling, DelaysByExactlySoManySteps) {
  EXPECT_EQ(readingsAfterEachStep(0.0, 3e-3, 7), (std::vector<int>{-1, -1, -1, 0, 1, 2, 3}));
}

TEST(Sampling, HoldsAndDelaysTogether) {
  // Samples at 0, 2, 4 … arrive at 3, 5, 7 …; at 4, 7, 10 … with 100 steps of delay the line is long.
  EXPECT_EQ(readingsAfterEachStep(500.0, 3e-3, 9), (std::vector<int>{-1, -1, -1, 0, 0, 2, 2, 4, 4}));
  const std::vector<int> read = readingsAfterEachStep(1.0 / 3e-3, 100e-3, 1000);
  for (int k = 100; k < 1000; ++k) EXPECT_EQ(read[k], (k - 100) / 3 * 3) << k;
}

/// A box that lands, with all kinds of memory in its sensors.
Scene instrumentedBox() {
  Scene scene = physics::boxScene();
  scene.robot.base_position = {0.0, 0.0, 0.15};
  scene.robot.base_angular_velocity = {0.3, 0.2, 0.1};
  SensorSpec imu = test::imuOn("sole");
  imu.rate = 250.0;
  imu.delay = 7e-3;
  imu.noise = {{"acceleration", 0.1}, {"orientation", 0.01}};
  imu.bias_walk = {{"angular_velocity", 0.1}};
  SensorSpec contact = sensor("contact", "sole");
  contact.frame = "box";
  contact.noise["force"] = 0.5;
  scene.sensors = {imu, contact};
  return scene;
}

std::vector<double> allReadings(const InstrumentedSimulation& robot) {
  std::vector<double> all;
  for (const SensorChannel& channel : robot.sensors().channels()) {
    const SensorReading reading = robot.read(channel);
    all.insert(all.end(), reading.values.begin(), reading.values.end());
  }
  return all;
}

TEST(SensorState, RestoredFromAFileGoesOnBitForBit) {
  InstrumentedSimulation robot(instrumentedBox());
  for (int k = 0; k < 53; ++k) robot.step();
  const State state = robot.simulation().state();
  std::stringstream file;
  saveSensorState(robot.sensorState(), file);

  InstrumentedSimulation other(instrumentedBox());
  for (int k = 0; k < 11; ++k) other.step();  // something else in its scratch memory
  other.simulation().setState(state);
  other.setSensorState(loadSensorState(other.sensors(), file, "file"));
  EXPECT_EQ(allReadings(other), allReadings(robot));
  for (int k = 0; k < 200; ++k) {
    robot.step();
    other.step();
    ASSERT_EQ(allReadings(other), allReadings(robot)) << "step " << k;
  }
}

TEST(SensorState, WrongFilesAreRefused) {
  const InstrumentedSimulation robot(instrumentedBox());
  std::stringstream file;
  saveSensorState(robot.sensorState(), file);
  const std::string bytes = file.str();
  const auto problem = [&](const std::string& content) {
    std::stringstream in(content);
    return errorOf([&] { loadSensorState(robot.sensors(), in, "file"); }).problem();
  };
  EXPECT_EQ(problem("hello"), "this is not a saved state of sensors");
  EXPECT_EQ(problem(bytes.substr(0, bytes.size() - 1)), "the file ends too early");
  EXPECT_EQ(problem(bytes + "x"), "there are more bytes after the state of the sensors");
  const SensorSuite other(robot.simulation().model(), {test::imuOn("box")}, kStep);
  std::stringstream in(bytes);
  EXPECT_NE(errorOf([&] { loadSensorState(other, in, "file"); }).problem().find("the sensors need"), std::string::npos);
}

TEST(SensorState, StaysAsItWasWhenAStepFails) {
  InstrumentedSimulation robot(instrumentedBox());
  for (int k = 0; k < 20; ++k) robot.step();
  const std::vector<double> before = allReadings(robot);
  robot.simulation().input().wrenches.push_back(
      {LinkIndex(0), Vector3d::Zero(), Vector6d::Constant(std::numeric_limits<double>::quiet_NaN())});
  EXPECT_EQ(robot.step().status, SolveStatus::failed);
  EXPECT_EQ(allReadings(robot), before);
  EXPECT_EQ(robot.sensorState().steps, 20);
}

}  // namespace
}  // namespace footfall

// Sensors from scene files, and every way in which they can be wrong.

#include <gtest/gtest.h>

#include "footfall/run/instrumented_simulation.hpp"
#include "model/error_of.hpp"
#include "tools/source_dir.hpp"

namespace footfall {
namespace {

Scene boxWith(const std::string& sensor) {
  return parseScene(
      "robot: {model: box, base: {on_ground: true}}\ncontacts: [{frame: sole}]\nsensors:\n  - {" + sensor + "}\n",
      sourceDir() + "/scenes/s.yaml");
}

/// The error of a scene whose fourth line has this sensor; checks that it says so.
Error errorOfSensor(const std::string& sensor) {
  const Error error = errorOf([&] { InstrumentedSimulation box(boxWith(sensor)); });
  EXPECT_EQ(error.where(), sourceDir() + "/scenes/s.yaml:4") << error.what();
  return error;
}

std::string problemOfSensor(const std::string& sensor) { return errorOfSensor(sensor).problem(); }

TEST(SensorSpec, IsReadFromASceneWithItsUnits) {
  const Scene scene = boxWith(
      "type: imu, name: a, frame: box, rate: 1 kHz, delay: 2 ms, noise: {acceleration: 0.1}, seed: 7, "
      "bias: {acceleration: [1, 2, 3], angular_velocity: 0.5}, bias_walk: {acceleration: 0.2}, resolution: "
      "{acceleration: 0.01}");
  const SceneSensor& sensor = scene.sensors.at(0);
  EXPECT_DOUBLE_EQ(sensor.rate, 1000.0);
  EXPECT_DOUBLE_EQ(sensor.delay, 2e-3);
  EXPECT_EQ(sensor.noise.at("acceleration"), 0.1);
  EXPECT_EQ(sensor.bias.at("acceleration"), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(sensor.bias.at("angular_velocity"), (std::vector<double>{0.5}));
  EXPECT_EQ(sensor.bias_walk.at("acceleration"), 0.2);
  EXPECT_EQ(sensor.resolution.at("acceleration"), 0.01);
  EXPECT_EQ(sensor.seed, 7u);
  const InstrumentedSimulation box(scene);
  const SensorChannel& channel = box.sensors().channel("a.acceleration");
  EXPECT_EQ(channel.unit, "m/s²");
  EXPECT_EQ(channel.frame, "box");
  EXPECT_EQ(channel.components, (std::vector<std::string>{"x", "y", "z"}));
}

TEST(SensorSpec, UnknownNamesGetSuggestions) {
  EXPECT_EQ(errorOfSensor("type: imu, name: a, frame: bux").hint(), "did you mean 'box'?");
  EXPECT_EQ(problemOfSensor("type: imu, name: a, frame: bux"), "sensor 'a': there is no frame 'bux'");
  EXPECT_EQ(problemOfSensor("type: force_torque, name: a, joint: sole_fix"),
            "sensor 'a': there is no joint 'sole_fix'");
  EXPECT_EQ(errorOfSensor("type: force_torque, name: a, joint: sole_fix").hint(), "did you mean 'sole_fixed'?");
  EXPECT_EQ(problemOfSensor("type: encoder, name: a, joints: [knee]"), "sensor 'a': there is no movable joint 'knee'");
  EXPECT_EQ(problemOfSensor("type: imv, name: a"), "sensors.0.type is 'imv', which is not one of the choices");
  const Error quantity = errorOfSensor("type: imu, name: a, frame: box, noise: {accelration: 1}");
  EXPECT_EQ(quantity.problem(), "sensor 'a': noise names 'accelration', which a sensor of type imu does not measure");
  EXPECT_EQ(quantity.hint(), "did you mean 'acceleration'?");
}

TEST(SensorSpec, AJointIsMeasuredOnce) {
  const Error twice = errorOf([] {
    InstrumentedSimulation(
        parseScene("robot: {model: cart_pole, base: {fixed: true}}\n"
                   "sensors: [{type: encoder, name: a, joints: [pole, cart, pole]}]",
                   "s.yaml"));
  });
  EXPECT_EQ(twice.where(), "s.yaml:2");
  EXPECT_EQ(twice.problem(), "sensor 'a': joints names 'pole' twice");
}

TEST(SensorSpec, MissingAndForeignKeysAreNamed) {
  EXPECT_EQ(problemOfSensor("name: a, frame: box"), "sensors.0 has no 'type', which is needed");
  EXPECT_EQ(problemOfSensor("type: imu, frame: box"), "sensors.0 has no 'name', which is needed");
  EXPECT_EQ(problemOfSensor("type: imu, name: a"), "sensor 'a': a sensor of type imu needs a 'frame'");
  EXPECT_EQ(problemOfSensor("type: force_torque, name: a"),
            "sensor 'a': a sensor of type force_torque needs a 'joint'");
  EXPECT_EQ(problemOfSensor("type: imu, name: a, frame: box, joint: sole_fixed"),
            "sensor 'a': 'joint' does not belong to a sensor of type imu");
  EXPECT_EQ(problemOfSensor("type: contact, name: a, frame: box"),
            "sensor 'a': nothing on frame 'box' can touch the ground");
}

TEST(SensorSpec, NumbersThatMakeNoSenseAreNamed) {
  const std::string imu = "type: imu, name: a, frame: box, ";
  EXPECT_EQ(problemOfSensor(imu + "rate: -5"), "sensors.0.rate is -5, expected 0 or more");
  EXPECT_EQ(problemOfSensor(imu + "delay: soon"),
            "sensors.0.delay is 'soon', expected a time (s, ms, us, min; a number alone is in SI units)");
  EXPECT_EQ(problemOfSensor(imu + "delay: -1 ms"), "sensors.0.delay is -0.001, expected 0 or more");
  EXPECT_EQ(problemOfSensor(imu + "noise: {acceleration: -1}"),
            "sensors.0.noise.acceleration is -1, expected 0 or more");
  EXPECT_EQ(problemOfSensor(imu + "seed: 1.5"), "sensors.0.seed is 1.5, expected a whole number, 0 or more");
  EXPECT_EQ(problemOfSensor(imu + "bias: {acceleration: [1, 2]}"),
            "sensor 'a': bias.acceleration has 2 entries, expected 1 or 3");
  EXPECT_EQ(problemOfSensor(imu + "resolution: {orientation: 1}"), "sensor 'a': an orientation has no resolution");
  EXPECT_EQ(errorOfSensor(imu + "rate: 300 Hz").hint(), "the nearest rate that fits is 333.333 Hz");
  EXPECT_EQ(errorOfSensor(imu + "rate: 5 kHz").hint(), "the nearest rate that fits is 1000 Hz");
  EXPECT_EQ(problemOfSensor(imu + "delay: 1.5 ms"),
            "sensor 'a': delay 0.0015 s, expected a whole number of steps of 0.001 s");
}

TEST(SensorSpec, FromCodeIsCheckedToo) {
  Scene scene = boxWith("type: imu, name: a, frame: box");
  const auto problem = [&] { return errorOf([&] { InstrumentedSimulation box(scene); }).problem(); };
  scene.sensors[0].rate = -1.0;
  EXPECT_NE(problem().find("rate -1 Hz"), std::string::npos);
  scene.sensors[0].rate = 0.0;
  scene.sensors[0].delay = -1.0;
  EXPECT_NE(problem().find("delay -1 s"), std::string::npos);
  scene.sensors[0].delay = 0.0;
  scene.sensors[0].noise["acceleration"] = -1.0;
  EXPECT_NE(problem().find("noise.acceleration is -1"), std::string::npos);
  scene.sensors[0].noise.clear();
  scene.sensors.push_back(scene.sensors[0]);
  EXPECT_EQ(problem(), "there are two sensors 'a'");
}

TEST(SensorSpec, ReadingsByAWrongNameGetASuggestion) {
  const InstrumentedSimulation box(boxWith("type: imu, name: a, frame: box"));
  EXPECT_EQ(errorOf([&] { box.read("a.accelration"); }).hint(), "did you mean 'a.acceleration'?");
}

}  // namespace
}  // namespace footfall

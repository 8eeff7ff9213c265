// The section `actuators` of a scene: what it means, and every way in which it can be wrong.

#include <numbers>

#include "footfall/scene/scene.hpp"
#include "tools/test_tools.hpp"

namespace footfall {
namespace {

Error errorIn(const std::string& keys) {
  return errorOf(
      [&] { parseScene("robot: {model: box}\nactuators:\n  - {joints: [a, b], " + keys + "}\n", "s.yaml"); });
}

std::string problemOf(const std::string& keys) {
  const Error error = errorIn(keys);
  EXPECT_EQ(error.where(), "s.yaml:3") << error.what();
  return error.problem();
}

TEST(SceneActuators, ValuesAreForAllMotorsOrForEach) {
  const Scene scene = parseScene(
      "robot: {model: box}\n"
      "actuators:\n"
      "  - {joints: [a, b], gear_ratio: 100, max_torque: [10, 20 Nm], natural_frequency: 20 Hz, max_speed: 60 rpm}\n"
      "  - {joints: [c, d], transmission: [[1, 0], [1, 2]], viscous: 0.2}\n",
      "s.yaml");
  ASSERT_EQ(scene.actuators.size(), 2u);
  const SceneActuator& first = scene.actuators[0];
  EXPECT_EQ(first.joints, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(first.gear_ratio, std::vector<double>{100.0});
  EXPECT_EQ(first.max_torque, (std::vector<double>{10.0, 20.0}));
  EXPECT_DOUBLE_EQ(first.natural_frequency.at(0), 40.0 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(first.max_speed.at(0), 2.0 * std::numbers::pi);
  EXPECT_TRUE(first.transmission.empty());
  EXPECT_EQ(scene.actuators[1].transmission, (std::vector<std::vector<double>>{{1.0, 0.0}, {1.0, 2.0}}));
}

TEST(SceneActuatorError, ZeroFrequencyNamesTheField) {
  EXPECT_EQ(problemOf("natural_frequency: 0"), "actuators.0.natural_frequency is 0, expected more than 0");
}

TEST(SceneActuatorError, NumbersOutOfRange) {
  EXPECT_EQ(problemOf("rotor_inertia: -1"), "actuators.0.rotor_inertia is -1, expected 0 or more");
  EXPECT_EQ(problemOf("gear_ratio: 0.01"), "actuators.0.gear_ratio is 0.01, expected 1 or more");
  EXPECT_EQ(problemOf("damping_ratio: -0.1"), "actuators.0.damping_ratio is -0.1, expected 0 or more");
  EXPECT_EQ(problemOf("max_torque: 0"), "actuators.0.max_torque is 0, expected more than 0");
  EXPECT_EQ(problemOf("max_speed: [1, -1]"), "actuators.0.max_speed.1 is -1, expected more than 0");
  EXPECT_EQ(problemOf("viscous: -1"), "actuators.0.viscous is -1, expected 0 or more");
  EXPECT_EQ(problemOf("coulomb: -1"), "actuators.0.coulomb is -1, expected 0 or more");
}

TEST(SceneActuatorError, ListsThatDoNotFit) {
  EXPECT_EQ(problemOf("gear_ratio: [1, 2, 3]"),
            "actuators.0.gear_ratio has 3 entries, expected one for each of the 2 motors");
  EXPECT_EQ(problemOf("gear_ratio: []"), "actuators.0.gear_ratio is empty, expected a number, or one for each motor");
  EXPECT_EQ(problemOf("transmission: [[1, 0]]"), "actuators.0.transmission is not a matrix of 2 × 2 numbers");
  EXPECT_EQ(problemOf("transmission: [[1, 0], [1]]"), "actuators.0.transmission is not a matrix of 2 × 2 numbers");
  EXPECT_EQ(problemOf("transmission: []"), "actuators.0.transmission is empty, expected a row for each joint");
}

TEST(SceneActuatorError, JointsAreNeeded) {
  const auto problem = [](const std::string& entry) {
    return errorOf([&] { parseScene("robot: {model: box}\nactuators: [" + entry + "]", "s.yaml"); }).problem();
  };
  EXPECT_EQ(problem("{gear_ratio: 1}"), "actuators.0 has no 'joints', which is needed");
  EXPECT_EQ(problem("{joints: []}"), "actuators.0.joints is empty, expected at least one joint");
}

}  // namespace
}  // namespace footfall

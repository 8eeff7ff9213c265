// Wrong prescribed motions: every error names the entry of the scene and what is wrong with it.

#include <gtest/gtest.h>

#include "footfall/base/error.hpp"
#include "physics/scene_tools.hpp"
#include "tools/source_dir.hpp"

namespace footfall::physics {
namespace {

std::string refusal(const std::string& prescribed, const std::string& more = "") {
  try {
    Simulation simulation(
        parseScene("robot: {model: rr_arm, base: {fixed: true}}\nprescribed:\n  - " + prescribed + "\n" + more,
                   sourceDir() + "/scenes/test.yaml"));
  } catch (const Error& e) {
    return e.what();
  }
  return "accepted";
}

void expectRefusal(const std::string& prescribed, const std::string& expected, const std::string& more = "") {
  const std::string found = refusal(prescribed, more);
  EXPECT_NE(found.find(expected), std::string::npos) << found;
  EXPECT_NE(found.find("test.yaml:3"), std::string::npos) << found;
}

TEST(PrescribedError, EveryLawIsAccepted) {
  for (const char* law : {"speed: 10 deg/s", "sine: {amplitude: 20 deg, frequency: 1 Hz}", "formula: 0.2*t",
                          "table: [[0, 0], [1 s, 0.5]]", "smooth_table: [[0, 10 deg], [1 s, 20 deg], [3 s, 0]]",
                          "rates: [[0, 0], [1, 0.1 rad/s]]"})
    EXPECT_EQ(refusal(std::string("{joint: shoulder, ") + law + "}"), "accepted") << law;
  EXPECT_EQ(refusal("{joint: shoulder}"), "accepted");
}

/// A quadruped whose hips are ball joints, with this section.
std::string refusalOfBalls(const std::string& section) {
  try {
    Simulation simulation(parseScene("robot: {model: " + sourceDir() + "/models/ball_quadruped.sdf}\n" + section,
                                     sourceDir() + "/scenes/test.yaml"));
  } catch (const Error& e) {
    return e.what();
  }
  return "accepted";
}

TEST(PrescribedError, BallJointsTakeNeitherMotionsNorMotors) {
  const std::string motion = refusalOfBalls("prescribed:\n  - {joint: lf_hip_x, speed: 1}\n");
  EXPECT_NE(motion.find("test.yaml:3"), std::string::npos) << motion;
  EXPECT_NE(motion.find("'lf_hip_x'"), std::string::npos) << motion;
  EXPECT_NE(motion.find("ball joint"), std::string::npos) << motion;
  const std::string motor = refusalOfBalls("actuators:\n  - {joints: [lf_knee, lf_hip_z]}\n");
  EXPECT_NE(motor.find("test.yaml:3"), std::string::npos) << motor;
  EXPECT_NE(motor.find("joint 'lf_hip_z' is a part of a ball joint, which no motor turns"), std::string::npos) << motor;
  EXPECT_EQ(refusalOfBalls(
                "actuators:\n  - {joints: [lf_knee]}\nprescribed:\n  - {joint: rf_knee}\nhold: {enabled: false}\n"),
            "accepted");
}

TEST(PrescribedError, UnknownJointsGetASuggestion) {
  expectRefusal("{joint: sholder, speed: 1}", "'shoulder'");
  expectRefusal("{joint: sholder}", "'shoulder'");
}

TEST(PrescribedError, BadMotionsAreNamed) {
  expectRefusal("{joint: shoulder, table: [[0, 0], [1, .nan]]}", "prescribed.0.table");
  expectRefusal("{joint: shoulder, smooth_table: [[0, 0], [1, 0.1], [1, 0.2]]}", "of the row before");
  expectRefusal("{joint: shoulder, formula: 0.2*s}", "unknown name 's'");
  expectRefusal("{joint: shoulder, formula: sqrt(1-t)}", "expected finite numbers");
  expectRefusal("{joint: shoulder, speed: 1, formula: t}", "is given beside");
  expectRefusal("{joint: shoulder, speed: 1 m}", "expected a joint velocity");
  expectRefusal("{joint: shoulder, offset: 0.1}", "no law to add it to");
  expectRefusal("{joint: shoulder, speed: 10 rad/s}", "outside of its limits -6.3 to 6.3");
}

TEST(PrescribedError, WhatContradictsTheMotionIsNamed) {
  expectRefusal("{joint: shoulder, speed: 0.1}", "has a motor too",
                "actuators:\n  - {joints: [shoulder], max_torque: 5}\n");
  expectRefusal("{joint: shoulder, speed: 0.1}", "is held by a spring too", "hold: {joints: [shoulder]}\n");
  expectRefusal("{joint: shoulder, speed: 0.1}", "is held by a spring too", "hold: {joint_stiffness: {shoulder: 3}}\n");
  const std::string twice = refusal("{joint: shoulder, speed: 0.1}\n  - {joint: shoulder, speed: 0.2}");
  EXPECT_NE(twice.find("named twice"), std::string::npos) << twice;
}

/// The shoulder turns steadily from 0.5 rad on.
Scene turningShoulder() {
  Scene scene = freeBody("rr_arm");
  SceneTimeLaw law;
  law.kind = "speed";
  law.speed = 0.1;
  scene.prescribed = {{"scene.yaml:7", "shoulder", 0.5, law}};
  return scene;
}

TEST(PrescribedError, AStartElsewhereIsNamed) {
  Scene scene = turningShoulder();
  scene.robot.initial = {{"shoulder", 0.4}};
  try {
    Simulation simulation(scene);
    FAIL() << "accepted";
  } catch (const Error& e) {
    EXPECT_EQ(e.where(), "scene.yaml:7");
    EXPECT_NE(e.problem().find("starts at 0.5 by its motion, and at 0.4 by robot.initial"), std::string::npos)
        << e.problem();
  }
}

TEST(PrescribedError, AStateBesideTheMotionIsRefused) {
  Simulation simulation(turningShoulder());
  State state = simulation.state();
  state.time = 1.0;
  EXPECT_THROW(simulation.setState(state), Error);
  state.joints()[0] = 0.6;
  simulation.setState(state);
  EXPECT_EQ(simulation.state().joints()[0], 0.6);
}

}  // namespace
}  // namespace footfall::physics

// Boxes, stairs, height fields and planes of every incline as grounds.

#include <gtest/gtest.h>

#include <fstream>

#include "model/error_of.hpp"
#include "physics/ground_tools.hpp"

namespace footfall::physics {
namespace {

SceneGround boxGround(const Vector3d& position, const Vector3d& size, double friction = 0.6) {
  SceneGround ground;
  ground.shape = "box";
  ground.position = position;
  ground.size = size;
  ground.friction = friction;
  return ground;
}

SceneGround formulaGround(const std::string& formula, double friction) {
  SceneGround ground;
  ground.shape = "height_field";
  ground.formula = formula;
  ground.size_x = ground.size_y = 4.0;
  ground.friction = friction;
  return ground;
}

Scene ballScene() {
  Scene scene = freeBody("sphere");
  scene.contacts.push_back({"", "sphere", {Vector3d::Zero()}, 0.1});
  return scene;
}

void expectRestingWithItsWeight(Simulation& simulation) {
  const double weight = simulation.model().totalMass() * kGravity;
  EXPECT_LT(simulation.state().nu.norm(), 1e-6);
  EXPECT_LT((groundForce(simulation.result()) - Vector3d(0.0, 0.0, weight)).norm(), 1e-6 * weight);
}

class Incline : public testing::TestWithParam<double> {};

TEST_P(Incline, CarriesABoxThatGravityPressesOnIt) {
  Scene scene = crateOn(0.5);
  scene.ground.incline = GetParam() * kDegree;
  scene.ground.heading = 37.0 * kDegree;
  const double s = std::sin(scene.ground.incline), c = std::cos(scene.ground.incline);
  const Vector3d normal(s * std::cos(scene.ground.heading), s * std::sin(scene.ground.heading), c);
  scene.physics.gravity = -kGravity * normal;
  Simulation simulation(scene);
  EXPECT_NEAR(normal.dot(simulation.state().q.head<3>()), 0.1, 1e-9);
  for (int k = 0; k < 200; ++k) ASSERT_EQ(simulation.step().status, SolveStatus::converged);
  EXPECT_EQ(simulation.result().contacts.size(), 4u);
  EXPECT_LT((groundForce(simulation.result()) - kGravity * normal).norm(), 1e-6 * kGravity);  // it weighs 1 kg
  EXPECT_LT(simulation.state().nu.norm(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Degrees, Incline,
                         testing::Values(0.0, 30.0, 89.0, 90.0, 91.0, 150.0, 179.0, 179.9999999, 180.0));

TEST(BoxGround, CarriesABoxOnItsTopAndNotBesideIt) {
  Scene scene = crateOn(0.6);
  scene.more_ground.push_back(boxGround({1.0, 0.0, 0.15}, {0.5, 0.5, 0.3}));
  for (const auto& [x, height] : {std::pair{1.0, 0.4}, std::pair{0.0, 0.1}}) {
    scene.robot.base_position = {x, 0.0, 1.0};
    Simulation simulation(scene);
    EXPECT_NEAR(simulation.state().q[2], height, 1e-9);
    for (int k = 0; k < 200; ++k) simulation.step();
    EXPECT_NEAR(simulation.state().q[2], height, 1e-9);
    expectRestingWithItsWeight(simulation);
  }
}

TEST(BoxGround, HasNoSeamToTheNextBox) {
  Scene plain = crateOn(0.3);
  plain.robot.base_velocity = {1.5, 0.4, 0.0};
  Scene paved = plain;
  paved.ground = boxGround({0.0, 0.0, -0.1}, {0.5, 2.0, 0.2}, 0.3);
  paved.more_ground.push_back(boxGround({0.5, 0.0, -0.05}, {0.5, 2.0, 0.1}, 0.3));
  Simulation on_plain(plain), on_paving(paved);
  for (int k = 0; k < 600; ++k) {
    on_plain.step();
    on_paving.step();
  }
  EXPECT_GT(on_plain.state().q[0], 0.35);  // all corners went over the joint at x = 0.25
  EXPECT_LT((on_plain.state().q - on_paving.state().q).norm(), 1e-8);
}

TEST(Stairs, CarryABallOnEveryTread) {
  Scene scene = ballScene();
  SceneGround stairs;
  stairs.shape = "stairs";
  stairs.steps = 3;
  stairs.rise = 0.15;
  stairs.run = 0.3;
  stairs.rpy = {0.0, 0.0, 90.0 * kDegree};  // climb along y
  stairs.position = {0.0, 1.0, 0.0};
  scene.more_ground.push_back(stairs);
  for (int k = -1; k < 3; ++k) {
    scene.robot.base_position = {0.0, 1.0 + (k + 0.5) * 0.3, 0.15 * (k + 1) + 0.15};
    Simulation simulation(scene);
    for (int step = 0; step < 400; ++step) simulation.step();
    EXPECT_NEAR(simulation.state().q[2], 0.15 * (k + 1) + 0.1, 1e-6) << k;
    expectRestingWithItsWeight(simulation);
  }
}

TEST(HeightField, SwingsABallWithThePeriodOfItsCurvature) {
  const double radius = 0.1, curvature_radius = 2.0;
  Scene scene = ballScene();
  scene.ground = formulaGround("x^2/4", 1.0);
  scene.robot.on_ground = true;
  scene.robot.base_position = {0.05, 0.0, 0.5};
  Simulation simulation(scene);
  std::vector<double> crossings;
  while (crossings.size() < 5 && simulation.time() < 20.0) {
    const double before = simulation.state().q[0];
    simulation.step();
    if (before * simulation.state().q[0] < 0.0) crossings.push_back(simulation.time());
  }
  ASSERT_EQ(crossings.size(), 5u);
  // A ball that rolls without slipping is as slow as one with 7/5 of its mass.
  const double period = 2.0 * M_PI * std::sqrt(1.4 * (curvature_radius - radius) / kGravity);
  // Crossings are known to half a step, 0.03 % of a period; the amplitude of 0.025 rad adds 0.03 %
  // (a parabola is flatter there).
  EXPECT_NEAR(0.5 * (crossings[4] - crossings[0]), period, 0.001 * period);
}

/// A ball of half the radius of its valley rolls up and down for ten seconds. It touches 40 to 80 mm beside the place
/// straight below its centre.
TEST(HeightField, KeepsTheEnergyOfABallThatIsLargeForItsValley) {
  for (const double friction : {0.0, 2.0}) {
    Scene scene = ballScene();
    scene.ground = formulaGround("2.5*x^2", friction);
    scene.robot.on_ground = true;
    scene.robot.base_position = {0.08, 0.0, 0.5};
    Simulation simulation(scene);
    const auto energy = [&] { return simulation.dynamics().energy().total(); };
    simulation.step();
    const double start = energy(), swings = start - kGravity * 0.1;  // above the bottom, for 1 kg
    ASSERT_GT(swings, 0.1);
    for (int k = 0; k < 10000; ++k) {
      const StepResult& result = simulation.step();
      ASSERT_FALSE(result.impact) << friction << ", " << k;
      ASSERT_NEAR(energy(), start, 1e-3 * swings) << friction << ", " << k;
    }
  }
}

TEST(HeightField, BringsABoxToRestInItsValley) {
  Scene scene = boxScene();
  const double friction = 0.1;
  scene.ground = formulaGround("(x^2 + y^2)/2", friction);
  scene.robot.base_position = {0.5, -0.3, 0.8};
  Simulation simulation(scene);
  for (int k = 0; k < 8000; ++k) ASSERT_NE(simulation.step().status, SolveStatus::failed);
  // Friction holds it where the slope, equal to the distance here, is below its coefficient.
  EXPECT_LT(simulation.state().q.head<2>().norm(), 1.1 * friction);
  expectRestingWithItsWeight(simulation);
}

TEST(HeightField, IsReadFromAnImageBesideTheScene) {
  const std::string folder = testing::TempDir();
  std::ofstream(folder + "footfall_step.pgm") << "P2\n4 2\n100\n0 0 50 50\n0 0 50 50\n";
  std::ofstream(folder + "footfall_step.yaml")
      << "robot: {model: box, base: {on_ground: true, position: [0.8, 0, 1]}}\n"
         "contacts: [{frame: sole}]\n"
         "ground: {shape: height_field, file: footfall_step.pgm, cell: 50 cm, "
         "scale: 0.4, interpolation: bilinear}\n";
  Scene scene = loadScene(folder + "footfall_step.yaml");
  scene.source = boxScene().source;  // where our models are found
  // Half of white is 0.2 m; the nodes that are that high begin at x = 0.25 m.
  EXPECT_NEAR(Simulation(scene).state().q[2], 0.2 + 0.1, 1e-9);
}

TEST(PlacingOnTheGround, TouchesHillsWithOneFootAndEntersThemWithNone) {
  Scene scene = sceneFile("hills.yaml");
  scene.robot.on_ground = true;
  for (const double x : {0.0, 0.4, 0.9, 1.7}) {
    scene.robot.base_position = {x, -0.3, 1.0};
    Simulation simulation(scene);
    double least = 1.0;
    for (const ContactReport& contact : simulation.step().contacts) least = std::min(least, contact.gap);
    EXPECT_NEAR(least, 0.0, 1e-9) << x;
  }
}

/// The problem of a scene with this ground in its seventh line.
std::string problemOf(SceneGround ground) {
  Scene scene = boxScene();
  ground.where = "s.yaml:7";
  scene.more_ground.push_back(ground);
  const Error error = errorOf([&] { Simulation simulation(scene); });
  EXPECT_EQ(error.where(), "s.yaml:7") << error.what();
  return error.problem();
}

TEST(GroundErrors, NameTheSurfaceInTheScene) {
  EXPECT_EQ(problemOf(formulaGround("log(x)", 0.5)).substr(0, 15), "ground.formula:");
  EXPECT_EQ(problemOf(boxGround({0, 0, 0}, {1, 1, 1}, -1.0)),
            "ground.friction: the friction is -1, expected 0 or more");
}

TEST(GroundErrors, RefuseAHeightFieldFileWithNaN) {
  SceneGround ground;
  ground.shape = "height_field";
  ground.cell = 0.1;
  ground.file = testing::TempDir() + "footfall_nan_heights.csv";
  std::ofstream(ground.file) << "0, 0.1, 0.2\n0, nan, 0.1\n";
  const std::string problem = problemOf(ground);
  EXPECT_NE(problem.find("nan"), std::string::npos) << problem;
  EXPECT_NE(problem.find('2'), std::string::npos) << "the row: " << problem;
}

}  // namespace
}  // namespace footfall::physics

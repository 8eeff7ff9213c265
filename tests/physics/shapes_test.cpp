#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "model/error_of.hpp"
#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

TEST(Shapes, ABoxOfTheFileLandsLikeABoxOfPoints) {
  Scene shaped = shapedBody("box");
  Scene pointed = boxScene();
  for (Scene* scene : {&shaped, &pointed}) {
    scene->robot.base_position = {0.0, 0.0, 0.4};
    scene->robot.base_rpy = {0.4, 0.3, 0.1};
  }
  Simulation a(shaped), b(pointed);
  for (int k = 0; k < 1500; ++k) {
    ASSERT_NE(a.step().status, SolveStatus::failed);
    b.step();
  }
  // The same eight corners in another order: the same motion up to the solver's tolerance, which impacts amplify.
  EXPECT_NEAR(a.state().q[2], 0.1, 50e-6);
  EXPECT_LT((a.state().q - b.state().q).head<3>().norm(), 1e-4);
}

TEST(Shapes, ABallOfTheFileRestsAtItsRadius) {
  Scene scene = shapedBody("sphere");
  scene.robot.base_position = {0.0, 0.0, 0.3};
  Simulation simulation(scene);
  for (int k = 0; k < 1000; ++k) simulation.step();
  EXPECT_NEAR(simulation.state().q[2], 0.1, 1e-6);
}

TEST(Shapes, OnGroundPlacesTheLowestPointOfTheShape) {
  Scene scene = shapedBody("box");
  scene.robot.on_ground = true;
  scene.robot.base_rpy = {M_PI / 4, 0.0, 0.0};
  EXPECT_NEAR(Simulation(scene).state().q[2], 0.1 * std::sqrt(2.0), 1e-9);
}

TEST(Shapes, ALinkThatIsNotThereIsNamed) {
  Scene scene = shapedBody("box");
  scene.contacts[0].frame = "no_such_link";
  expectError("no_such_link", [&] { Simulation{scene}; });
}

// A humanoid that lets go lies on its hulls: at rest, nothing deep inside the ground, its weight carried.
TEST(Shapes, AFallenHumanoidLiesOnItsRealShape) {
  Simulation simulation(sceneFile("fallen_g1.yaml"));
  const double weight = simulation.model().totalMass() * kGravity;
  double deepest = 0.0, carried = 0.0;
  std::set<int> links;
  for (int k = 0; k < 4000; ++k) {
    ASSERT_NE(simulation.step().status, SolveStatus::failed) << simulation.describeFailure();
    for (const ContactReport& contact : simulation.result().contacts) deepest = std::max(deepest, -contact.gap);
    if (k < 3900) continue;
    for (const ContactReport& contact : simulation.result().contacts) {
      carried += contact.force_W.z() / 100.0;
      if (contact.force_C.z() > 0.0) links.insert(simulation.model().candidates[contact.candidate].link);
    }
  }
  EXPECT_NEAR(carried, weight, 0.05 * weight);
  EXPECT_LT(deepest, 1e-3);
  EXPECT_GE(links.size(), 3u);
  EXPECT_LT(simulation.state().q[2], 0.4);
}

// Hands, arms and legs that hang free come to lie on whole faces of their hulls: dozens of corners that share the load.
TEST(Shapes, ALimpHumanoidComesToRestOnFortyPoints) {
  Simulation simulation(sceneFile("limp_g1.yaml"));
  const double weight = simulation.model().totalMass() * kGravity;
  for (int k = 0; k < 4500; ++k)
    ASSERT_NE(simulation.step().status, SolveStatus::failed) << simulation.describeFailure();
  double carried = 0.0;
  for (int k = 0; k < 100; ++k) {
    const StepResult& result = simulation.step();
    ASSERT_EQ(result.status, SolveStatus::converged);
    EXPECT_GE(result.contacts.size(), 40u);
    for (const ContactReport& contact : result.contacts) carried += contact.force_W.z() / 100.0;
  }
  EXPECT_NEAR(carried, weight, 0.01 * weight);
}

// What a user does first: pull at the robot until it falls. It may not swing through the floor.
TEST(Shapes, APushedOverHumanoidDoesNotEnterTheGround) {
  Scene scene = sceneFile("icub_playground.yaml");
  ScenePush push;
  push.link = "chest";
  push.force = {-150.0, 0.0, 0.0};
  push.start = 0.1;
  push.duration = 0.3;
  scene.pushes.push_back(push);
  Simulation simulation(scene);
  const double height = simulation.state().q[2];
  double deepest = 0.0;
  for (int k = 0; k < 3000; ++k) {
    ASSERT_NE(simulation.step().status, SolveStatus::failed) << simulation.describeFailure();
    for (const ContactReport& contact : simulation.result().contacts) deepest = std::max(deepest, -contact.gap);
  }
  EXPECT_LT(simulation.state().q[2], 0.5 * height);
  EXPECT_GT(simulation.state().q[2], 0.05);
  EXPECT_LT(deepest, 1e-3);
}

}  // namespace
}  // namespace footfall::physics

#include <gtest/gtest.h>

#include <limits>

#include "footfall/base/error.hpp"
#include "physics/scene_tools.hpp"
#include "tools/test_tools.hpp"

namespace footfall {
namespace {

using physics::boxScene;

/// The message of the error that a scene gives when it is built.
std::string errorOf(const Scene& scene) {
  try {
    Simulation simulation(scene);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(Simulation, ReportsInitialPenetrationWithItsDepthAndOffersTheGround) {
  Scene scene = boxScene();
  scene.robot.base_position = {0.0, 0.0, 0.09};
  const std::string message = errorOf(scene);
  EXPECT_NE(message.find("10 mm"), std::string::npos) << message;
  EXPECT_NE(message.find("on_ground"), std::string::npos) << message;
}

TEST(Simulation, NamesAnUnknownFrameAndItsNeighbours) {
  Scene scene = boxScene();
  scene.contacts[0].frame = "bux";
  scene.contacts[0].where = "scene.yaml:4";
  const std::string message = errorOf(scene);
  EXPECT_NE(message.find("scene.yaml:4"), std::string::npos) << message;
  EXPECT_NE(message.find("box"), std::string::npos) << message;
}

TEST(Simulation, NamesThePushOnAMissingLink) {
  Scene scene = boxScene();
  scene.robot.on_ground = true;
  scene.pushes.push_back({"scene.yaml:9", "hand", {1, 0, 0}, Vector3d::Zero(), 0, 1});
  EXPECT_NE(errorOf(scene).find("scene.yaml:9"), std::string::npos);
}

TEST(Simulation, AFailedSolveStopsTheRunAndKeepsTheState) {
  Scene scene = boxScene();
  scene.robot.on_ground = true;
  Simulation simulation(scene);
  for (int k = 0; k < 10; ++k) simulation.step();
  const State before = simulation.state();
  simulation.input().wrenches.push_back(
      {LinkIndex(0), Vector3d::Zero(), Vector6d::Constant(std::numeric_limits<double>::quiet_NaN())});
  EXPECT_EQ(simulation.step().status, SolveStatus::failed);
  EXPECT_EQ(simulation.state().time, before.time);
  EXPECT_EQ(simulation.state().q, before.q);
  EXPECT_NE(simulation.describeFailure().find("t = 0.01 s"), std::string::npos) << simulation.describeFailure();
}

TEST(Simulation, ALoopThatNobodyWatchesEndsAtAFailedStep) {
  Scene scene = boxScene();
  scene.robot.on_ground = true;
  Simulation simulation(scene);
  const State start = simulation.state();
  simulation.input().wrenches.push_back(
      {LinkIndex(0), Vector3d::Zero(), Vector6d::Constant(std::numeric_limits<double>::quiet_NaN())});
  const auto run = [&] {
    while (simulation.time() < 0.1) simulation.step();
  };
  EXPECT_THROW(
      {
        try {
          run();
        } catch (const Error& e) {
          EXPECT_NE(std::string(e.what()).find("not finite"), std::string::npos) << e.what();
          throw;
        }
      },
      Error);
  simulation.input().wrenches.clear();  // other inputs, or another state: it goes on
  EXPECT_NO_THROW(run());
  simulation.setState(start);
  EXPECT_NO_THROW(run());
}

TEST(Simulation, ALoopUntilATimeMakesAWholeNumberOfSteps) {
  Scene scene = physics::freeBody("box");
  Simulation simulation(scene);
  int steps = 0;
  while (simulation.time() < 2.0) {
    simulation.step();
    ++steps;
  }
  EXPECT_EQ(steps, 2000);
  EXPECT_EQ(simulation.time(), 2.0);
  EXPECT_EQ(simulation.state().count.steps, 2000);
}

/// Nothing is remembered but the state: worlds of a batch share what steps them.
TEST(Simulation, GoesOnFromAStateAsIfNothingElseHadBeen) {
  for (const char* file : {"stack.yaml", "card_house.yaml", "dominoes.yaml", "bouncing_ball.yaml", "cassie.yaml"}) {
    Simulation fresh(physics::sceneFile(file)), used(physics::sceneFile(file));
    const auto step = [](Simulation& simulation, int steps) {
      for (int k = 0; k < steps; ++k) simulation.step();
    };
    State disturbed = used.state();
    for (Eigen::Index k = 0; k < disturbed.nu.size(); ++k) disturbed.nu[k] += k % 2 == 0 ? 0.2 : -0.1;
    used.setState(disturbed);
    step(used, 20);
    step(fresh, 3);
    used.setState(fresh.state());
    step(used, 20);
    step(fresh, 20);
    EXPECT_EQ(used.state().q, fresh.state().q) << file;
    EXPECT_EQ(used.state().nu, fresh.state().nu) << file;
  }
}

TEST(Simulation, WarnsOfARobotThatFallsThroughTheGround) {
  Scene scene = physics::freeBody("box");
  scene.robot.where = "scene.yaml:2";
  scene.physics.gravity = {0.0, 0.0, -9.81};
  const auto warnings = [&] { return Simulation(scene).warnings(); };
  ASSERT_EQ(warnings().size(), 1u);
  EXPECT_EQ(warnings()[0].find("scene.yaml:2: nothing of the robot touches the ground: `contacts` is missing"), 0u)
      << warnings()[0];
  scene.robot.fixed_base = true;
  EXPECT_TRUE(warnings().empty());
  scene.robot.base_velocity = {1.0, 0.0, 0.0};
  ASSERT_EQ(warnings().size(), 1u);
  EXPECT_EQ(warnings()[0], "scene.yaml:2: robot.base is fixed: its velocity is not read");
  scene.robot.fixed_base = false;
  scene.physics.gravity.setZero();
  EXPECT_TRUE(warnings().empty());
  Scene on_ground = boxScene();
  on_ground.robot.on_ground = true;
  EXPECT_TRUE(Simulation(on_ground).warnings().empty());
}

TEST(Simulation, WarnsOfARestitutionThatItsContactModelDoesNotRead) {
  Scene scene = boxScene();
  scene.robot.on_ground = true;
  scene.physics.where = "scene.yaml:7";
  scene.physics.contact = "compliant";
  EXPECT_TRUE(Simulation(scene).warnings().empty());
  scene.ground.restitution = 0.5;
  ASSERT_EQ(Simulation(scene).warnings().size(), 1u);
  EXPECT_EQ(Simulation(scene).warnings()[0].find("scene.yaml:7: `restitution` is not read with contact: compliant"),
            0u);
  scene.physics.contact = "rigid";
  EXPECT_TRUE(Simulation(scene).warnings().empty());
}

TEST(Simulation, WarnsOfJointsThatStartOutsideOfTheirLimits) {
  Scene scene = physics::freeBody("rr_arm");
  scene.robot.where = "scene.yaml:2";
  scene.physics.gravity.setZero();  // it flies
  EXPECT_TRUE(Simulation(scene).warnings().empty());
  scene.robot.initial["elbow"] = 3.5;
  const std::vector<std::string> warnings = Simulation(scene).warnings();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].find("scene.yaml:2: at the start 1 of 2 joints is outside of its limits (elbow at 3.5 rad, "
                             "limits -3 to 3)"),
            0u)
      << warnings[0];
}

TEST(Simulation, NamesTheLinkThatNoInertiaResists) {
  // A thin rod in flight: nothing resists its turning about itself.
  const TempFolder folder;
  Scene scene;
  scene.robot.model =
      folder
          .write("rod.urdf",
                 "<robot name='r'>\n<link name='rod'><inertial><mass value='1'/>\n"
                 "<inertia ixx='0.1' iyy='0.1' izz='0' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>")
          .string();
  const std::string message = errorOf(scene);
  EXPECT_NE(message.find("rod.urdf:2: link 'rod': no inertia resists a motion of the floating base"), std::string::npos)
      << message;
}

TEST(Simulation, PushLastsAsLongAsItSays) {
  Scene scene = physics::freeBody("box");
  scene.physics.gravity.setZero();
  scene.pushes.push_back({"", "box", {2.0, 0.0, 0.0}, Vector3d::Zero(), 0.1, 0.25});
  Simulation simulation(scene);
  for (int k = 0; k < 1000; ++k) simulation.step();
  EXPECT_NEAR(simulation.state().nu[0], 2.0 * 0.25 / simulation.model().totalMass(), 1e-12);
}

TEST(Simulation, HoldsAFixedBaseArmAgainstGravity) {
  Scene scene = physics::freeBody("rr_arm");
  scene.robot.fixed_base = true;
  scene.hold.enabled = true;
  Simulation simulation(scene);
  const VectorXd start = simulation.state().joints();
  for (int k = 0; k < 1000; ++k) simulation.step();
  EXPECT_LT((simulation.state().joints() - start).norm(), 1e-9);
}

}  // namespace
}  // namespace footfall

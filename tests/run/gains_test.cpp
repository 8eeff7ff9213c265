// Gains of springs and dampers that make no sense, wherever a program or a scene can set them.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "footfall/base/error.hpp"
#include "footfall/run/simulation.hpp"
#include "physics/made_models.hpp"
#include "physics/scene_tools.hpp"

namespace footfall {
namespace {

using physics::sceneFile;

template <class F>
void expectRefused(const std::string& where, const std::string& joint, const std::string& value, F f) {
  try {
    f();
    ADD_FAILURE() << "nothing was refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), where);
    EXPECT_NE(error.problem().find("'" + joint + "'"), std::string::npos) << error.what();
    EXPECT_NE(error.problem().find(value), std::string::npos) << error.what();
    EXPECT_FALSE(error.hint().empty());
  }
}

TEST(NumbersThatAreNone, AreNamedWhereTheStepTellsOfThem) {
  const auto told = [](const std::function<void(Simulation&)>& spoil) {
    Simulation simulation(sceneFile("quadruped.yaml"));
    spoil(simulation);
    EXPECT_EQ(simulation.step().status, SolveStatus::failed);
    return simulation.describeFailure();
  };
  const std::string begin = "t = 0 s: the step gives numbers that are not finite: ";
  const std::string joint = Simulation(sceneFile("quadruped.yaml")).model().dofs[4].name;
  EXPECT_EQ(told([](Simulation& s) { s.input().tau[4] = NAN; }),
            begin + "the torque of the joint '" + joint + "' is nan");
  EXPECT_EQ(told([](Simulation& s) { s.springs()->damping[4] = INFINITY; }),
            begin + "the damping of the joint '" + joint + "' is inf");
  EXPECT_EQ(told([](Simulation& s) {
              s.input().wrenches.push_back({s.model().link("trunk"), Vector3d::Zero(), Vector6d::Constant(NAN)});
            }),
            begin + "a push on the link 'trunk' is nan");
  // Numbers that are finite, and too large together.
  EXPECT_EQ(told([](Simulation& s) { s.input().tau[4] = 1e300; }),
            "t = 0 s: the step gives numbers that are not finite; look at torques, wrenches and gains");
}

TEST(NegativeGains, OfSpringsAreRefusedByNameAndCanBeMended) {
  Simulation simulation(sceneFile("quadruped.yaml"));
  const std::string joint = simulation.model().dofs[4].name;
  for (VectorXd JointSprings::*gains : {&JointSprings::stiffness, &JointSprings::damping}) {
    VectorXd& values = simulation.springs()->*gains;
    const double before = values[4];
    values[4] = -2.5;
    const char* const where = gains == &JointSprings::stiffness ? "springs.stiffness" : "springs.damping";
    expectRefused(where, joint, "-2.5", [&] { simulation.step(); });
    values[4] = before;
    EXPECT_EQ(simulation.step().status, SolveStatus::converged);
  }
}

/// Of joints that their motors hold the springs are commands, and pass by the step.
TEST(NegativeGains, OfJointsThatMotorsHoldAreRefused) {
  Simulation simulation(sceneFile("icub_motors.yaml"));
  ASSERT_FALSE(simulation.heldByMotors().empty());
  const DofIndex dof = simulation.heldByMotors()[0];
  simulation.springs()->damping[dof] = -1.0;
  expectRefused("springs.damping", simulation.model().dofs[dof].name, "-1", [&] { simulation.step(); });
}

TEST(NegativeGains, OfAModelAreRefusedWhenItIsMadeReady) {
  const auto refuses = [](double Dof::*gain) {
    Model model = physics::fixedBaseModel();
    physics::addHinge(model, LinkIndex(0), Vector3d::UnitY(), Vector3d::Zero(),
                      physics::bodyInertia(1.0, {0.0, 0.0, -0.5}, Vector3d::Ones()));
    model.dofs[0].*gain = -0.125;
    expectRefused("model 'mechanism'", "joint1", "-0.125", [&] { physics::Motion run(model, 1e-3); });
  };
  refuses(&Dof::damping);
  refuses(&Dof::friction);
  refuses(&Dof::spring_stiffness);
  refuses(&Dof::reflected_inertia);
}

TEST(Gains, HaveAsManyEntriesAsJoints) {
  Simulation simulation(sceneFile("quadruped.yaml"));
  simulation.springs()->stiffness.setZero(3);
  EXPECT_THROW(simulation.step(), Error);
}

}  // namespace
}  // namespace footfall

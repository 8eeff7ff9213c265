// What a scene or a program lets act on a robot: springs between points, constant torques, initial velocities, and
// forces as functions of time and state.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "footfall/base/error.hpp"
#include "footfall/run/instrumented_simulation.hpp"
#include "footfall/run/linearize.hpp"
#include "physics/four_bar.hpp"
#include "physics/scene_tools.hpp"

namespace footfall {
namespace {

Scene weightless(const std::string& model) {
  Scene scene = physics::freeBody(model);
  scene.physics.gravity.setZero();
  return scene;
}

SceneSpring spring(const SceneSpringEnd& from, const SceneSpringEnd& to, double stiffness, double damping,
                   double rest_length) {
  return {"scene.yaml:5", "", from, to, stiffness, damping, rest_length};
}

void runUntil(Simulation& simulation, double end) {
  while (simulation.time() < end) ASSERT_NE(simulation.step().status, SolveStatus::failed);
}

TEST(PointSpring, SwingsABallWithItsPeriodAndEnergy) {
  Scene scene = weightless("sphere");
  const double stiffness = 40.0, stretch = 0.2;  // on 1 kg: a period of 0.9935 s
  scene.springs = {spring({"", "world", {0, 0, 2}}, {"", "sphere", {0, 0, 0}}, stiffness, 0.0, 1.0)};
  scene.robot.base_position = {0.0, 0.0, 1.0 - stretch};
  Simulation simulation(scene);
  const double omega = std::sqrt(stiffness), period = 2.0 * M_PI / omega;
  runUntil(simulation, 10.0 * period);
  // Symplectic steps shift the frequency by (ω Δt)²/24: a phase of 1e-4 rad after ten swings. The phase of the start is
  // half a step, ω Δt/2, and the last step ends up to one step late.
  const double z = simulation.state().q[2] - 1.0, v = simulation.state().nu[2];
  EXPECT_NEAR(z, -stretch, stretch * std::pow(2.0 * omega * 1e-3, 2));
  EXPECT_NEAR(v, 0.0, 2.0 * stretch * omega * omega * 1e-3);
}

TEST(PointSpring, PullsTwoLinksTogetherAndKeepsTheirMomentum) {
  Scene scene = weightless("rr_arm");  // its base floats
  scene.robot.initial = {{"shoulder", 0.3}, {"elbow", 1.2}};
  scene.springs = {spring({"", "base", {0.1, 0, 0}}, {"", "tip", {0, 0, 0}}, 30.0, 0.5, 1.0)};
  // All but rk4 keep the momentum by their construction, rk4 to its order.
  for (const auto& [integrator, tolerance] :
       {std::pair{"second_order", 1e-10}, {"semi_implicit_euler", 1e-10}, {"midpoint", 1e-10}, {"rk4", 1e-8}}) {
    scene.physics.integrator = integrator;
    Simulation simulation(scene);
    runUntil(simulation, 0.3);  // the elbow has not reached its limit
    EXPECT_GT(simulation.dynamics().energy().kinetic, 0.1) << integrator;
    EXPECT_LT(simulation.dynamics().momentum().norm(), tolerance) << integrator;
  }
}

TEST(PointSpring, IsAtRestAtTheStartWhereTheSceneDoesNotSayHowLongItIs) {
  Scene scene = weightless("rr_arm");
  scene.robot.initial = {{"elbow", 1.2}};
  scene.springs = {spring({"", "base", {0.1, 0, 0}}, {"", "tip", {0, 0, 0}}, 1e3, 0.0, -1.0)};
  Simulation simulation(scene);
  runUntil(simulation, 0.1);
  EXPECT_LT(simulation.state().nu.norm(), 1e-12);
}

TEST(PointSpring, DampsAlongItsLineOnly) {
  Scene scene = weightless("sphere");
  const double damping = 2.0;
  scene.springs = {spring({"", "world", {0, 0, 1e6}}, {"", "sphere", {0, 0, 0}}, 0.0, damping, 0.0)};
  scene.robot.base_velocity = {1.0, 0.0, 1.0};
  Simulation simulation(scene);
  runUntil(simulation, 0.5);
  EXPECT_NEAR(simulation.state().nu[0], 1.0, 1e-6);  // the line is a million metres long
  EXPECT_NEAR(simulation.state().nu[2], std::exp(-damping * 0.5), 1e-3);
}

TEST(PointSpring, SaysWhenItIsTooStiffForTheStep) {
  Scene scene = weightless("sphere");
  scene.springs = {spring({"", "world", {0, 0, 2}}, {"", "sphere", {0, 0, 0}}, 3.9e6, 0.0, 1.0)};
  EXPECT_TRUE(Simulation(scene).warnings().empty());  // ω Δt = 1.97 < 2 on 1 kg
  scene.springs[0].stiffness = 4.1e6;
  const std::vector<std::string> warnings = Simulation(scene).warnings();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("scene.yaml:5: the spring 'world-sphere' is too stiff"), std::string::npos);
}

TEST(PointSpring, NamesTheEndThatIsNotThere) {
  Scene scene = weightless("sphere");
  scene.springs = {spring({"scene.yaml:6", "hand", {}}, {"", "sphere", {}}, 1.0, 0.0, 0.0)};
  try {
    Simulation simulation(scene);
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.where(), "scene.yaml:6");
  }
}

TEST(PointSpring, IsFeltByAForceTorqueSensorBelow) {
  // The arm hangs still on a spring that carries a part of its weight; the shoulder carries the rest.
  Scene scene = physics::freeBody("rr_arm");
  scene.robot.fixed_base = true;
  scene.springs = {spring({"", "world", {0, 0, 0}}, {"", "tip", {0, 0, 0}}, 100.0, 0.0, 1.95)};
  SceneSensor sensor;
  sensor.type = "force_torque";
  sensor.name = "shoulder";
  sensor.joint = "shoulder";
  scene.sensors.push_back(sensor);
  InstrumentedSimulation robot(scene);
  robot.step();
  const double pull = 100.0 * 0.05, weight = 2.0 * physics::kGravity;
  EXPECT_NEAR(robot.read("shoulder.force").values[2], weight - pull, 1e-9);
}

TEST(ConstantTorques, TurnAJointAsItsInertiaSays) {
  Scene scene = weightless("rr_arm");
  scene.robot.fixed_base = true;
  scene.robot.joints = {"shoulder"};
  scene.torques.joints = {{"shoulder", 0.7}};
  Simulation simulation(scene);
  MatrixXd M(1, 1);
  simulation.dynamics().massMatrix(M);
  runUntil(simulation, 0.5);
  EXPECT_NEAR(simulation.state().nu[0], 0.5 * 0.7 / M(0, 0), 1e-12);
  scene.torques = {"scene.yaml:3", {{"sholder", 0.7}}};
  EXPECT_THROW(Simulation{scene}, Error);
}

TEST(PostureHold, GoesToItsTargetWhereThereIsOne) {
  Scene scene = weightless("rr_arm");
  scene.robot.fixed_base = true;
  scene.robot.initial = {{"shoulder", 0.3}, {"elbow", 1.2}};
  scene.hold.enabled = true;
  scene.hold.stiffness = 50.0;
  scene.hold.damping = 20.0;
  scene.hold.target = {{"elbow", 0.9}};
  Simulation simulation(scene);
  runUntil(simulation, 5.0);  // a damper that is slow by 0.4 s: e^-12 of 0.3 rad is left
  EXPECT_NEAR(simulation.state().q[7], 0.3, 1e-5);
  EXPECT_NEAR(simulation.state().q[8], 0.9, 1e-5);
  scene.hold.target = {{"elbwo", 0.9}};
  EXPECT_THROW(Simulation{scene}, Error);
}

TEST(InitialVelocities, AreThoseOfTheScene) {
  Scene scene = weightless("rr_arm");
  scene.robot.initial_velocity = {{"elbow", 1.5}};
  EXPECT_EQ(Simulation(scene).state().nu[7], 1.5);
  EXPECT_EQ(Simulation(scene).state().nu[6], 0.0);
  scene.robot.initial_velocity = {{"elbo", 1.5}};
  EXPECT_THROW(Simulation{scene}, Error);
}

TEST(InitialVelocities, AreFollowedByTheJointsOfALoopThatAreNotNamed) {
  Scene scene = physics::sceneFile("four_bar.yaml");
  scene.robot.initial_velocity = {{"crank_joint", 2.0}};
  const Simulation simulation(scene);
  const Model& model = simulation.model();
  const auto rate = [&](const char* joint) { return simulation.state().nu[model.dof(joint)]; };
  const double theta = simulation.state().joints()[model.dof("crank_joint")];
  const double rocker_angle = simulation.state().joints()[model.dof("rocker_joint")];
  const double side = std::abs(physics::FourBar::angles(theta, 1.0)[1] - rocker_angle) < 1e-6 ? 1.0 : -1.0;
  const Eigen::Vector2d expected = 2.0 * physics::FourBar::rates(theta, side);
  EXPECT_EQ(rate("crank_joint"), 2.0);
  EXPECT_NEAR(rate("coupler_joint"), expected[0] - 2.0, 1e-9);  // relative to the crank
  EXPECT_NEAR(rate("rocker_joint"), expected[1], 1e-9);
  scene.robot.initial_velocity = {{"crank_joint", 2.0}, {"rocker_joint", 0.0}};
  EXPECT_THROW(Simulation{scene}, Error);
}

TEST(ForceField, PullsAsAFunctionOfTime) {
  Scene scene = weightless("sphere");
  scene.physics.integrator = "rk4";
  Simulation simulation(scene);
  const double omega = 3.0;
  simulation.setForceField([&](const ForceInstant& at, VectorXd& tau) { tau[0] += std::cos(omega * at.time); });
  runUntil(simulation, 1.0);
  // Simpson's rule of the fourth order on 1 kg: Δt⁴ ω⁴/2880 of the velocity.
  EXPECT_NEAR(simulation.state().nu[0], std::sin(omega) / omega, 1e-13);
}

TEST(ForceField, PullsAsAFunctionOfTheState) {
  // A magnet that holds the ball as a spring of three directions would.
  Scene scene = weightless("sphere");
  scene.physics.integrator = "midpoint";
  scene.robot.base_position = {0.3, 0.0, 1.0};
  Simulation simulation(scene);
  const double stiffness = 40.0, period = 2.0 * M_PI / std::sqrt(stiffness);
  simulation.setForceField([&](const ForceInstant& at, VectorXd& tau) {
    Vector6d wrench = Vector6d::Zero();
    wrench.head<3>() = stiffness * (Vector3d(0.0, 0.0, 1.0) - at.dynamics.linkPose(LinkIndex(0)).p);
    at.dynamics.addWrench(LinkIndex(0), Vector3d::Zero(), wrench, tau);
  });
  runUntil(simulation, period);
  EXPECT_NEAR(simulation.state().q[0], 0.3, 1e-4);
  simulation.setForceField({});
  const double speed = simulation.state().nu[0];
  runUntil(simulation, period + 0.1);
  EXPECT_NEAR(simulation.state().nu[0], speed, 1e-12);
}

TEST(ForceField, CannotChangeTheStepThatItIsCalledIn) {
  Simulation simulation(weightless("sphere"));
  const std::vector<std::function<void()>> wishes{
      [&] { simulation.dynamics(); }, [&] { simulation.setState(State(simulation.state())); },
      [&] { simulation.setForceField({}); }, [&] { simulation.step(); }, [&] { linearizeStep(simulation); }};
  for (const auto& wish : wishes) {
    const State before = simulation.state();
    simulation.setForceField([&](const ForceInstant&, VectorXd&) { wish(); });
    EXPECT_THROW(simulation.step(), Error);
    EXPECT_EQ(simulation.time(), before.time);
    simulation.setForceField({});
    EXPECT_EQ(simulation.step().status, SolveStatus::converged) << "it goes on afterwards";
  }
}

}  // namespace
}  // namespace footfall

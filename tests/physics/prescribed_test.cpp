// Joints whose motion is given: they follow it exactly, whatever touches or holds the robot, and say what it took.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "footfall/contact/loop_assembly.hpp"
#include "footfall/run/instrumented_simulation.hpp"
#include "physics/four_bar.hpp"
#include "physics/scene_tools.hpp"
#include "tools/source_dir.hpp"

namespace footfall::physics {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kStep = 1e-3;  ///< [s]

ScenePrescribed follow(const std::string& joint, const SceneTimeLaw& law, double offset = 0.0) {
  return {"scene", joint, offset, law};
}

SceneTimeLaw sine(double amplitude, double frequency) {
  SceneTimeLaw law;
  law.kind = "sine";
  law.amplitude = amplitude;
  law.frequency = frequency;
  return law;
}

SceneTimeLaw constantSpeed(double speed) {
  SceneTimeLaw law;
  law.kind = "speed";
  law.speed = speed;
  return law;
}

SceneTimeLaw formula(const std::string& text) {
  SceneTimeLaw law;
  law.kind = "formula";
  law.formula = text;
  return law;
}

void stepOrFail(Simulation& simulation) {
  ASSERT_NE(simulation.step().status, SolveStatus::failed) << simulation.describeFailure();
}

// --- a pendulum -------------------------------------------------------------------------------------

/// The arm with its elbow locked: two rods of 1 kg and 1 m in line.
struct Pendulum {
  static constexpr double amplitude = 1.2, frequency = 0.7, omega = 2.0 * kPi * frequency;
  static constexpr double inertia = 2 * 0.08343333333333333 + 0.25 + 2.25;  ///< about the shoulder [kg m²]
  static constexpr double moment = 0.5 + 1.5;                               ///< Σ m l [kg m]

  static Scene scene(const std::string& integrator) {
    Scene scene = freeBody("rr_arm");
    scene.robot.fixed_base = true;
    scene.robot.joints = {"shoulder"};
    scene.physics.integrator = integrator;
    scene.prescribed = {follow("shoulder", sine(amplitude, frequency))};
    return scene;
  }
  static double angle(double t) { return amplitude * std::sin(omega * t); }
  static double rate(double t) { return amplitude * omega * std::cos(omega * t); }
  static double acceleration(double t) { return -omega * omega * angle(t); }
};

class PrescribedPendulum : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Integrators, PrescribedPendulum,
                         testing::Values("semi_implicit_euler", "explicit_euler", "rk4", "midpoint"));

TEST_P(PrescribedPendulum, IsOnItsMotionForAMinute) {
  Simulation simulation(Pendulum::scene(GetParam()));
  double off = 0.0, rate_off = 0.0;
  for (int k = 0; k < 60000; ++k) {
    stepOrFail(simulation);
    const double t = simulation.time();
    off = std::max(off, std::abs(simulation.state().joints()[0] - Pendulum::angle(t)));
    rate_off = std::max(rate_off, std::abs(simulation.state().nu[0] - Pendulum::rate(t)));
  }
  EXPECT_LT(off, 1e-15);
  EXPECT_LT(rate_off, 1e-14);
}

TEST_P(PrescribedPendulum, TakesTheTorqueOfInverseDynamics) {
  Simulation simulation(Pendulum::scene(GetParam()));
  const bool first_order = std::string(GetParam()).find("euler") != std::string::npos;
  const double w = Pendulum::omega, largest = Pendulum::inertia * Pendulum::amplitude * w * w;
  // Euler's schemes take gravity from the start of the step, the others from its middle; the mean acceleration of a
  // step differs from that in its middle by (ω dt)²/24.
  const double tolerance = largest * (w * kStep) * (w * kStep) / 24.0 + 1e-7;
  for (int k = 0; k < 3000; ++k) {
    const double t = simulation.time();
    stepOrFail(simulation);
    const double q = Pendulum::angle(first_order ? t : t + 0.5 * kStep);
    const double expected =
        Pendulum::inertia * Pendulum::acceleration(t + 0.5 * kStep) + kGravity * Pendulum::moment * std::sin(q);
    ASSERT_NEAR(simulation.result().drive_torque[0], expected, tolerance) << "t = " << t;
    ASSERT_EQ(simulation.result().joint_torque[0], simulation.result().drive_torque[0]);
  }
}

TEST(PrescribedPendulum, PaysForDampingAndFriction) {
  Scene scene = Pendulum::scene("semi_implicit_euler");
  scene.prescribed = {follow("shoulder", constantSpeed(-0.5))};
  Model model = Simulation(scene).model();
  model.gravity.setZero();
  model.dofs[0].damping = 3.0;
  model.dofs[0].friction = 0.7;
  const Plane ground(Vector3d(0, 0, -10), Vector3d::UnitZ(), 0.5, 0.0);
  Workspace workspace(model, ground, Settings{});
  State state = makeState(model);
  state.nu[0] = -0.5;
  Input input = makeInput(model);
  input.position[0] = -0.5 * kStep;
  input.velocity[0] = -0.5;
  const StepResult& result = step(state, input, nullptr, workspace);
  EXPECT_NEAR(result.drive_torque[0], -(3.0 * 0.5 + 0.7), 1e-12);
  EXPECT_NEAR(result.friction_torque[0], 0.7, 1e-15);
}

// --- the others answer ------------------------------------------------------------------------------

TEST(PrescribedArm, OnAFreeBaseKeepsTheMomentum) {
  for (const auto& [integrator, tolerance] :
       {std::pair{"semi_implicit_euler", 1e-12}, {"midpoint", 1e-12}, {"rk4", 1e-9}}) {
    SCOPED_TRACE(integrator);
    Scene scene = freeBody("rr_arm");
    scene.physics.gravity.setZero();
    scene.physics.integrator = integrator;
    scene.prescribed = {follow("shoulder", formula("0.8*(1-cos(4*t))"))};
    scene.robot.initial = {{"elbow", 0.4}};
    Simulation simulation(scene);
    double largest = 0.0, turned = 0.0;
    for (int k = 0; k < 5000; ++k) {
      stepOrFail(simulation);
      largest = std::max(largest, simulation.dynamics().momentum().norm());
      turned = std::max(turned, std::abs(simulation.state().q[4]));
    }
    EXPECT_LT(largest, tolerance);
    EXPECT_GT(turned, 0.1);  // the base turns against the arm
  }
}

TEST(PrescribedJoint, AtRestIsALockedJoint) {
  // The same robot falls on the ground, once with joints that are told to stay and once without these joints.
  Scene scene;
  scene.source = sourceDir() + "/scenes/test";
  scene.robot.model = "quadruped";
  scene.robot.base_position = {0.0, 0.0, 0.6};
  scene.robot.base_rpy = {0.2, -0.1, 0.3};
  scene.hold.enabled = false;
  for (const char* leg : {"lf", "rf", "lh", "rh"}) {
    SceneContact foot;
    foot.frame = std::string(leg) + "_foot";
    foot.points = {Vector3d::Zero()};
    foot.radius = 0.02;
    scene.contacts.push_back(foot);
    scene.robot.initial[std::string(leg) + "_hfe"] = 0.6;
    scene.robot.initial[std::string(leg) + "_kfe"] = -1.1;
  }
  Scene locked = scene;
  for (const char* joint : {"lf_haa", "lf_hfe", "lf_kfe", "rf_hfe", "rf_kfe", "rh_haa"})
    scene.prescribed.push_back(follow(joint, {}));
  locked.robot.joints = {"rf_haa", "lh_haa", "lh_hfe", "lh_kfe", "rh_hfe", "rh_kfe"};
  for (const char* contact : {"rigid", "gauss", "compliant"}) {
    SCOPED_TRACE(contact);
    scene.physics.contact = locked.physics.contact = contact;
    Simulation a(scene), b(locked);
    int impacts = 0;
    for (int k = 0; k < 400; ++k) {
      stepOrFail(a);
      stepOrFail(b);
      impacts += a.result().impact;
    }
    EXPECT_LT((a.state().q.head<7>() - b.state().q.head<7>()).norm(), 1e-7);
    EXPECT_EQ(impacts > 0, std::string(contact) != "compliant");
    EXPECT_EQ(a.state().joints()[a.model().dof("lf_kfe")], -1.1);
    // And the lost joints carry what the drives do: the knee's share of the weight is not nothing.
    EXPECT_GT(a.result().drive_torque.norm(), 0.1);
  }
}

TEST(PrescribedJoint, KeepsItsVelocityInAnImpactAndReportsTheImpulse) {
  Scene scene = freeBody("rr_arm");
  scene.robot.base_position = {0.0, 0.0, 0.05};  // it strikes at the start of the first step
  scene.robot.base_velocity = {0.4, 0.0, -2.0};
  scene.robot.initial = {{"elbow", 0.3}};
  scene.prescribed = {follow("shoulder", constantSpeed(-2.0), 2.5)};
  scene.run.duration = 1.0;
  SceneContact corner;
  corner.frame = "base";
  corner.points = {{0.1, 0.1, -0.05}, {0.1, -0.1, -0.05}};
  scene.contacts = {corner};
  Simulation simulation(scene);
  const Model& model = simulation.model();
  State before = simulation.state();
  while (!simulation.result().impact && simulation.time() < 0.5) {
    before = simulation.state();
    stepOrFail(simulation);
  }
  const StepResult& result = simulation.result();
  ASSERT_TRUE(result.impact);
  const int row = model.baseDofs() + model.dof("shoulder");
  EXPECT_EQ(result.next.nu[row], -2.0);
  const auto engine = makeDynamics("native", model);
  engine->update(before.q, before.nu);
  const VectorXd after = result.next.nu - kStep * result.nu_dot;
  VectorXd impulse = VectorXd::Zero(model.nv()), change(model.nv());
  for (const ContactReport& contact : result.contacts) {
    Vector6d wrench = Vector6d::Zero();
    wrench.head<3>() = contact.impulse_W;
    engine->addWrench(model.candidates[contact.candidate].link,
                      engine->linkPose(model.candidates[contact.candidate].link).inverse() * contact.p_WC, wrench,
                      impulse);
  }
  impulse[row] += result.drive_impulse[model.dof("shoulder")];
  engine->multiplyMass(after - before.nu, change);
  EXPECT_GT(std::abs(result.drive_impulse[model.dof("shoulder")]), 0.1);
  EXPECT_LT((change - impulse).norm(), 1e-10 * impulse.norm());
}

// --- loops ------------------------------------------------------------------------------------------

TEST(PrescribedCrank, OfTheFourBarTakesTheTorqueOfTheClosedForm) {
  const double rate = 5.0, start = 0.4;
  // Orders of the schemes' errors; accelerations of the bars are some 100 rad/s².
  for (const auto& [integrator, tolerance] :
       {std::pair{"midpoint", 1e-4}, {"rk4", 1e-4}, {"semi_implicit_euler", 5e-2}}) {
    SCOPED_TRACE(integrator);
    Scene scene = sceneFile("four_bar.yaml");
    scene.physics.integrator = integrator;
    const Vector3d s = FourBar::joints(start, 1.0);
    scene.robot.initial = {{"crank_joint", s[0]}, {"coupler_joint", s[1]}, {"rocker_joint", s[2]}};
    scene.prescribed = {follow("crank_joint", constantSpeed(rate), start)};
    Simulation simulation(scene);
    const bool middle = std::string(integrator) != "semi_implicit_euler";
    double off = 0.0, gap = 0.0, largest = 0.0;
    for (int k = 0; k < 2600; ++k) {  // two turns
      const double t = simulation.time() + (middle ? 0.5 * kStep : 0.0);
      stepOrFail(simulation);
      const double expected = FourBar::torque(start + rate * t, 1.0, rate, 0.0);
      if (k > 0) off = std::max(off, std::abs(simulation.result().drive_torque[0] - expected));
      largest = std::max(largest, std::abs(expected));
      gap = std::max(gap, largestLoopGap(simulation.model(), simulation.state().q).gap);
      ASSERT_DOUBLE_EQ(simulation.state().joints()[0], start + rate * simulation.time());  // some machines fuse these
    }
    EXPECT_GT(largest, 1.0);
    EXPECT_LT(off, tolerance * largest);
    EXPECT_LT(gap, 1e-10);
  }
}

// --- with the ground, in every model ----------------------------------------------------------------

class PrescribedSquat : public testing::TestWithParam<std::pair<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(Models, PrescribedSquat,
                         testing::Values(std::pair{"rigid", "semi_implicit_euler"}, std::pair{"rigid", "midpoint"},
                                         std::pair{"rigid", "rk4"}, std::pair{"rigid", "explicit_euler"},
                                         std::pair{"gauss", "semi_implicit_euler"},
                                         std::pair{"compliant", "semi_implicit_euler"}));

TEST_P(PrescribedSquat, CarriesTheWeightAndTheAccelerationOfTheTrunk) {
  Scene scene = sceneFile("push_ups.yaml");
  scene.physics.contact = GetParam().first;
  scene.physics.integrator = GetParam().second;
  Simulation simulation(scene);
  const Model& model = simulation.model();
  double impulse = 0.0;
  for (int k = 0; k < 1500; ++k) {
    stepOrFail(simulation);
    if (k < 500) continue;
    for (const ContactReport& contact : simulation.result().contacts) impulse += kStep * contact.force_W.z();
    for (const ContactReport& contact : simulation.result().contacts) impulse += contact.impulse_W.z();
  }
  // A whole period of the push-ups: the mean force is the weight.
  EXPECT_NEAR(impulse, model.totalMass() * kGravity * 1.0, 0.02 * model.totalMass() * kGravity);
  EXPECT_LT(simulation.state().q.segment<2>(3).norm(), 0.02);
}

// --- from code --------------------------------------------------------------------------------------

TEST(PrescribedFromCode, GoesWhereItIsTold) {
  Scene scene = freeBody("rr_arm");
  scene.robot.fixed_base = true;
  scene.robot.initial = {{"shoulder", 0.2}};
  scene.prescribed = {follow("shoulder", {})};
  Simulation simulation(scene);
  for (int k = 0; k < 10; ++k) stepOrFail(simulation);
  EXPECT_EQ(simulation.state().joints()[0], 0.2);  // until it is told, it stays
  for (int k = 0; k < 500; ++k) {
    const double t = simulation.time() + kStep;
    simulation.input().position[0] = 0.2 + t * t;
    simulation.input().velocity[0] = 2.0 * t;
    stepOrFail(simulation);
    ASSERT_EQ(simulation.state().joints()[0], 0.2 + t * t);
    if (k > 0) {
      ASSERT_NEAR(simulation.result().nu_dot[0], 2.0, 1e-9);
    }
  }
}

TEST(PrescribedJoint, IsSeenByTheTorqueSensor) {
  Scene scene = Pendulum::scene("semi_implicit_euler");
  SceneSensor sensor;
  sensor.type = "joint_torque";
  sensor.name = "drive";
  scene.sensors = {sensor};
  InstrumentedSimulation robot(scene);
  for (int k = 0; k < 20; ++k) robot.step();
  const double read = robot.read("drive.shoulder.torque").values[0];
  EXPECT_NE(read, 0.0);
  EXPECT_EQ(read, robot.simulation().result().drive_torque[0]);
}

// --- what cannot be ---------------------------------------------------------------------------------

TEST(PrescribedJoint, IntoTheGroundWithNothingToGiveWayFailsAndNamesTheContact) {
  Scene scene = Pendulum::scene("semi_implicit_euler");
  scene.robot.base_position = {0.0, 0.0, 1.5};  // the arm is 2 m long
  scene.prescribed = {follow("shoulder", constantSpeed(-0.5), 1.2)};
  SceneContact tip;
  tip.frame = "tip";
  tip.points = {Vector3d::Zero()};
  scene.contacts = {tip};
  Simulation simulation(scene);
  while (simulation.step().status != SolveStatus::failed) ASSERT_LT(simulation.time(), 2.0);
  EXPECT_NE(simulation.describeFailure().find("press 'tip[0]' into the ground"), std::string::npos)
      << simulation.describeFailure();
  // Until the arm stands so that its tip touches.
  EXPECT_NEAR(2.0 * std::cos(simulation.state().joints()[0]), 1.5, 2e-3);
}

TEST(PrescribedJoint, ThatTearsALoopFailsAndSaysSo) {
  Scene scene = sceneFile("four_bar.yaml");
  scene.prescribed = {follow("crank_joint", {}), follow("coupler_joint", {}), follow("rocker_joint", {})};
  const Vector3d s = FourBar::joints(0.4, 1.0);
  scene.robot.initial = {{"crank_joint", s[0]}, {"coupler_joint", s[1]}, {"rocker_joint", s[2]}};
  Simulation simulation(scene);
  stepOrFail(simulation);  // held where it closes, it does
  simulation.input().position[0] += 0.01;
  simulation.input().velocity[0] = 0.01 / kStep;
  EXPECT_EQ(simulation.step().status, SolveStatus::failed);
  EXPECT_NE(simulation.describeFailure().find("tear the loops open by"), std::string::npos)
      << simulation.describeFailure();
}

}  // namespace
}  // namespace footfall::physics

// Motors between commands and joints: closed forms of single joints, and a humanoid that stands on its motors.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <sstream>

#include "model/error_of.hpp"
#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

/// Of the straight arm of models/rr_arm.urdf about its shoulder [kg m²]: two rods of 1 kg and 1 m, and their radius.
constexpr double kArmInertia = 2.0 * 0.08343333333333333 + 0.5 * 0.5 + 1.5 * 1.5;
/// That holds it against gravity when it is horizontal [N m].
constexpr double kArmTorque = (0.5 + 1.5) * kGravity;

/// The arm with a stiff elbow, weightless, with a motor in its shoulder; nothing is held.
Scene armWithMotor(const SceneActuator& motor) {
  Scene scene = freeBody("rr_arm");
  scene.robot.joints = {"shoulder"};
  scene.robot.fixed_base = true;
  scene.physics.gravity.setZero();
  scene.actuators = {motor};
  scene.actuators[0].joints = {"shoulder"};
  return scene;
}

void run(Simulation& simulation, double until) {
  while (simulation.time() < until - 1e-9)
    ASSERT_NE(simulation.step().status, SolveStatus::failed) << simulation.describeFailure();
}

TEST(MotorOnAnArm, AnswersAStepOfTheCommandByTheClosedForm) {
  constexpr double kFrequency = 30.0, kGear = 50.0, kRotor = 1e-3, kCommand = 2.0;
  SceneActuator motor;
  motor.natural_frequency = {kFrequency};
  motor.gear_ratio = {kGear};
  motor.rotor_inertia = {kRotor};
  Simulation simulation(armWithMotor(motor));
  simulation.input().tau[0] = kCommand;
  for (const double t : {0.01, 0.05, 0.2}) {
    run(simulation, t);
    // Critically damped: τ = c (1 − (1 + ω t) e^(−ω t)). The motor is exact, and an arm of constant inertia that gets
    // its mean torque is too; what remains is the rounding of 200 steps.
    const double decay = std::exp(-kFrequency * t);
    EXPECT_NEAR(simulation.state().motors[0], kCommand * (1.0 - (1.0 + kFrequency * t) * decay), 1e-12);
    const double impulse = kCommand * (t - 2.0 / kFrequency + (t + 2.0 / kFrequency) * decay);
    EXPECT_NEAR(simulation.state().nu[0], impulse / (kArmInertia + kGear * kGear * kRotor), 1e-12);
  }
}

TEST(MotorOnAnArm, KeepsWithinItsTorque) {
  SceneActuator motor;
  Scene scene = armWithMotor(motor);
  scene.physics.gravity = Vector3d(0.0, 0.0, -kGravity);
  scene.robot.initial["shoulder"] = -std::numbers::pi / 2.0;
  scene.hold.enabled = true;
  const auto sinksBy = [&](double max_torque) {
    scene.actuators[0].max_torque = {max_torque};
    Simulation simulation(scene);
    const double start = simulation.state().joints()[0];
    for (int k = 0; k < 100; ++k) {
      simulation.step();
      EXPECT_LE(std::abs(simulation.motors()[0].torque), max_torque);
      EXPECT_EQ(simulation.motors()[0].torque_limited, max_torque < kArmTorque);
    }
    return std::abs(simulation.state().joints()[0] - start);
  };
  EXPECT_LT(sinksBy(1.1 * kArmTorque), 1e-9);
  // Half of the torque is missing: ½ (½ τ/I) t² with t = 0.1 s; semi-implicit Euler falls 1 % further, and the weight's
  // lever hardly changes.
  const double fall = 0.25 * kArmTorque / kArmInertia * 0.01;
  EXPECT_NEAR(sinksBy(0.5 * kArmTorque), fall, 0.02 * fall);
}

TEST(MotorOnAnArm, ApproachesItsHighestSpeedFromBelow) {
  constexpr double kMaxSpeed = 2.0, kCommand = 10.0;
  SceneActuator motor;
  motor.max_speed = {kMaxSpeed};
  Scene scene = armWithMotor(motor);
  scene.physics.step = 1e-4;
  Simulation simulation(scene);
  simulation.input().tau[0] = kCommand;
  // Full torque up to 90 % of the speed, and then a first-order approach with the rate τ/(0.1 I v).
  const double until_fade = 0.9 * kMaxSpeed * kArmInertia / kCommand;
  const double rate = kCommand / (0.1 * kArmInertia * kMaxSpeed);
  for (const double t : {until_fade, until_fade + 0.5 / rate, until_fade + 2.0 / rate}) {
    run(simulation, t);
    const double expected = kMaxSpeed * (1.0 - 0.1 * std::exp(-rate * (simulation.time() - until_fade)));
    // First order in the step: half a step of the fade's rate.
    EXPECT_NEAR(simulation.state().nu[0], expected, 0.1 * kMaxSpeed * rate * scene.physics.step);
    EXPECT_LT(simulation.state().nu[0], kMaxSpeed);
  }
  EXPECT_TRUE(simulation.motors()[0].speed_limited);
}

TEST(MotorOnAnArm, SticksBelowItsDryFriction) {
  constexpr double kFriction = 3.0;
  SceneActuator motor;
  motor.coulomb = {kFriction};
  Simulation simulation(armWithMotor(motor));
  simulation.input().tau[0] = 0.99 * kFriction;
  run(simulation, 0.1);
  EXPECT_NEAR(simulation.state().nu[0], 0.0, 1e-9);  // the contact solver's tolerance is 1e-10
  simulation.input().tau[0] = 1.5 * kFriction;
  run(simulation, 0.2);
  EXPECT_NEAR(simulation.state().nu[0], 0.5 * kFriction * 0.1 / kArmInertia, 1e-8);
}

// --- coupled transmissions ---------------------------------------------------------------------------

/// Both joints of the arm on a differential: two motors in the base, a belt to the elbow.
Scene differentialArm() {
  Scene scene = freeBody("rr_arm");
  scene.robot.fixed_base = true;
  scene.robot.initial = {{"shoulder", 1.0}, {"elbow", 0.5}};
  SceneActuator motors;
  motors.joints = {"shoulder", "elbow"};
  motors.transmission = {{1.0, 0.0}, {-1.0, 0.5}};
  motors.gear_ratio = {100.0, 50.0};
  motors.rotor_inertia = {2e-5, 1e-4};
  scene.actuators = {motors};
  return scene;
}

TEST(CoupledMotors, AddTheirInertiaToTheMassMatrix) {
  const Scene scene = differentialArm();
  Scene bare = scene;
  bare.actuators.clear();
  Simulation with(scene), without(bare);
  MatrixXd M(2, 2), M_bare(2, 2), T(2, 2);
  with.dynamics().massMatrix(M);
  without.dynamics().massMatrix(M_bare);
  T << 1.0, 0.0, -1.0, 0.5;
  const Eigen::Vector2d rotors(100.0 * 100.0 * 2e-5, 50.0 * 50.0 * 1e-4);
  const MatrixXd expected = M_bare + T.inverse().transpose() * rotors.asDiagonal() * T.inverse();
  EXPECT_LT((M - expected).norm(), 1e-14 * expected.norm() * 10.0);
  EXPECT_GT(std::abs(expected(0, 1) - M_bare(0, 1)), 0.1) << "this arm would not show a coupling";
}

TEST(CoupledMotors, KeepTheEnergyOfASwingingArm) {
  Scene scene = differentialArm();
  scene.physics.integrator = "midpoint";
  Simulation simulation(scene);
  const double start = simulation.dynamics().energy().total();
  double fastest = 0.0;
  while (simulation.time() < 2.0) {
    ASSERT_NE(simulation.step().status, SolveStatus::failed);
    fastest = std::max(fastest, simulation.dynamics().energy().kinetic);
    // Second order: the energy of the scheme differs by (dt · rate)² of what swings.
    ASSERT_NEAR(simulation.dynamics().energy().total(), start, 1e-4);
  }
  EXPECT_GT(fastest, 5.0);
}

TEST(CoupledMotors, SaveAndRestoreGoOnBitForBit) {
  Scene scene = differentialArm();
  scene.actuators[0].natural_frequency = {80.0};
  scene.hold.enabled = true;
  Simulation simulation(scene), other(scene);
  simulation.input().tau[1] = 3.0;
  run(simulation, 0.1);
  std::stringstream file;
  saveState(simulation.state(), simulation.model(), file);
  other.setState(loadState(other.model(), file, "memory"));
  other.input() = simulation.input();
  run(simulation, 0.2);
  run(other, 0.2);
  EXPECT_EQ(simulation.state().q, other.state().q);
  EXPECT_EQ(simulation.state().motors, other.state().motors);
  EXPECT_NE(simulation.state().motors[1], 0.0);
}

// --- a humanoid ----------------------------------------------------------------------------------------

TEST(IcubOnItsMotors, HasTheReflectedInertiaOfItsCoupledTransmissions) {
  Simulation simulation(sceneFile("icub_motors.yaml"));
  Scene bare_scene = sceneFile("icub_motors.yaml");
  bare_scene.actuators.clear();
  Simulation bare(bare_scene);
  const int nv = simulation.model().nv();
  MatrixXd M(nv, nv), M_bare(nv, nv);
  simulation.dynamics().massMatrix(M);
  bare.dynamics().massMatrix(M_bare);
  const MatrixXd added = M - M_bare;
  Matrix3d T;  // of the left shoulder
  T << -1.0, 0.0, 0.0, -1.0, -0.615, 0.0, 0.0, 0.615, -0.615;
  const Matrix3d reflected = 0.795e-5 * 1e4 * (T.inverse().transpose() * T.inverse());
  const int shoulder = 6 + simulation.model().dof("l_shoulder_pitch");
  EXPECT_LT((added.block<3, 3>(shoulder, shoulder) - reflected).norm(), 1e-12);
  const int hip = 6 + simulation.model().dof("l_hip_pitch");
  EXPECT_NEAR(added(hip, hip), 149.25 * 149.25 * 1.367e-5, 1e-12);
  EXPECT_LT(added.topRows<6>().norm(), 1e-12);
}

TEST(IcubOnItsMotors, StandsAndIsPushed) {
  Simulation simulation(sceneFile("icub_motors.yaml"));
  const VectorXd start = simulation.state().q;
  run(simulation, 1.0);
  EXPECT_LT((simulation.state().q - start).norm(), 0.02) << "it stands before the push";
  double sway = 0.0;
  while (simulation.time() < 5.0) {
    ASSERT_NE(simulation.step().status, SolveStatus::failed) << simulation.describeFailure();
    sway = std::max(sway, std::abs(simulation.state().q[0] - start[0]));
    for (const MotorReport& motor : simulation.motors()) ASSERT_LE(std::abs(motor.torque), 60.0);
  }
  EXPECT_GT(sway, 5e-3) << "the push was felt";
  EXPECT_NEAR(simulation.state().q[2], start[2], 0.01) << "it has not fallen";
  EXPECT_LT(simulation.state().nu.norm(), 0.05) << "it has come to rest";
}

TEST(Actuators, AJointThatIsNotThereIsNamed) {
  SceneActuator motor;
  Scene scene = armWithMotor(motor);
  scene.actuators[0].joints = {"sholder"};
  scene.actuators[0].where = "arm.yaml:7";
  const Error error = errorOf([&] { Simulation simulation(scene); });
  EXPECT_STREQ(error.what(), "arm.yaml:7: there is no movable joint 'sholder'\n  hint: did you mean 'shoulder'?");
}

}  // namespace
}  // namespace footfall::physics

#include "footfall/actuator/actuators.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "footfall/actuator/transmission.hpp"

namespace footfall {
namespace {

constexpr double kStep = 1e-3;  ///< [s]

/// Coordinates alone, the base fixed.
Model joints(int count) {
  Model model;
  model.floating_base = false;
  for (int i = 0; i < count; ++i) model.dofs.push_back({.name = "joint" + std::to_string(i)});
  return model;
}

Model oneMotor(const Motor& motor) {
  Model model = joints(1);
  addTransmission({{DofIndex(0)}, {motor}, MatrixXd::Identity(1, 1)}, "", model);
  return model;
}

/// What the joint of one motor gets at a speed, for a command.
double torqueOf(const Model& model, double command, double speed, MotorReport* report = nullptr) {
  Actuators actuators(model, kStep);
  State state = makeState(model);
  state.nu[0] = speed;
  VectorXd tau(1);
  actuators.advance(VectorXd::Constant(1, command), state, tau);
  if (report) *report = actuators.reports()[0];
  return tau[0];
}

TEST(Actuators, JointsWithoutMotorsGetTheirCommands) {
  Model model = joints(2);
  addTransmission({{DofIndex(1)}, {Motor{.max_torque = 1.0}}, MatrixXd::Identity(1, 1)}, "", model);
  Actuators actuators(model, kStep);
  State state = makeState(model);
  VectorXd tau(2);
  actuators.advance(Eigen::Vector2d(5.0, 5.0), state, tau);
  EXPECT_EQ(tau, Eigen::Vector2d(5.0, 1.0));
}

TEST(Actuators, ACoupledTransmissionWithoutLimitsDeliversTheCommandAndKeepsThePower) {
  Model model = joints(3);
  MatrixXd T(3, 3);
  T << -1.0, 0.0, 0.0, -1.0, -0.615, 0.0, 0.0, 0.615, -0.615;
  addTransmission({{DofIndex(2), DofIndex(0), DofIndex(1)}, std::vector<Motor>(3), T}, "", model);
  Actuators actuators(model, kStep);
  State state = makeState(model);
  state.nu << 0.4, -1.0, 0.3;
  VectorXd tau(3);
  const Vector3d command(1.0, -2.0, 3.0);
  actuators.advance(command, state, tau);
  EXPECT_LT((tau - command).norm(), 1e-14);
  double power = 0.0;
  for (const MotorReport& motor : actuators.reports()) power += motor.torque * motor.speed;
  EXPECT_NEAR(power, command.dot(state.nu), 1e-14);
}

TEST(Actuators, TheTorqueLimitHoldsAndIsReported) {
  const Model model = oneMotor(Motor{.max_torque = 4.0});
  MotorReport report;
  EXPECT_EQ(torqueOf(model, 3.0, 0.0, &report), 3.0);
  EXPECT_FALSE(report.torque_limited);
  EXPECT_EQ(torqueOf(model, -9.0, 0.0, &report), -4.0);
  EXPECT_TRUE(report.torque_limited);
  EXPECT_EQ(report.command, -9.0);
}

TEST(Actuators, AnUnderdampedMotorDoesNotOvershootItsLimit) {
  const Model model = oneMotor(Motor{.natural_frequency = 50.0, .damping_ratio = 0.05, .max_torque = 4.0});
  Actuators actuators(model, kStep);
  State state = makeState(model);
  VectorXd tau(1);
  double most = 0.0, most_inside = 0.0;
  for (int k = 0; k < 200; ++k) {
    actuators.advance(VectorXd::Constant(1, 4.0), state, tau);
    most = std::max(most, tau[0]);
    most_inside = std::max(most_inside, state.motors[0]);
  }
  EXPECT_EQ(most, 4.0);
  EXPECT_GT(most_inside, 7.0) << "without the limit it would overshoot by 85 %";
}

TEST(Actuators, TorqueFadesTowardsTheHighestSpeedAndBrakesFreely) {
  const Model model = oneMotor(Motor{.max_speed = 10.0});
  MotorReport report;
  EXPECT_EQ(torqueOf(model, 2.0, 8.9, &report), 2.0);
  EXPECT_FALSE(report.speed_limited);
  EXPECT_NEAR(torqueOf(model, 2.0, 9.5, &report), 1.0, 1e-14);
  EXPECT_TRUE(report.speed_limited);
  EXPECT_EQ(torqueOf(model, 2.0, 11.0), 0.0);
  EXPECT_EQ(torqueOf(model, -2.0, 11.0, &report), -2.0);
  EXPECT_FALSE(report.speed_limited);
  EXPECT_NEAR(torqueOf(model, -2.0, -9.5), -1.0, 1e-14);
}

TEST(Actuators, ViscousFrictionOfCoupledMotorsCrossesFromJointToJoint) {
  Model model = joints(2);
  MatrixXd T(2, 2);
  T << 1.0, 0.0, 1.0, 1.0;
  addTransmission({{DofIndex(0), DofIndex(1)}, {Motor{.viscous = 0.2}, Motor{.viscous = 0.3}}, T}, "", model);
  Actuators actuators(model, kStep);
  State state = makeState(model);
  state.nu << 1.0, 3.0;
  VectorXd tau(2);
  actuators.advance(Eigen::Vector2d::Zero(), state, tau);
  Eigen::Vector2d damping(model.dofs[0].damping, model.dofs[1].damping);
  // The second motor turns with the difference of the joints' speeds.
  const Eigen::Vector2d friction(-0.2 * 1.0 + 0.3 * 2.0, -0.3 * 2.0);
  EXPECT_LT((tau - damping.cwiseProduct(state.nu) - friction).norm(), 1e-14);
}

TEST(Actuators, SettledMotorsGoOnWithTheirCommand) {
  Model model = joints(2);
  MatrixXd T(2, 2);
  T << 0.5, -0.5, 0.5, 0.5;
  addTransmission({{DofIndex(0), DofIndex(1)}, std::vector<Motor>(2, Motor{.natural_frequency = 50.0}), T}, "", model);
  Actuators actuators(model, kStep);
  State state = makeState(model);
  const Eigen::Vector2d command(3.0, -1.0);
  actuators.settle(command, state);
  const VectorXd settled = state.motors;
  VectorXd tau(2);
  actuators.advance(command, state, tau);
  EXPECT_LT((tau - command).norm(), 1e-14);
  EXPECT_LT((state.motors - settled).norm(), 1e-13);
}

}  // namespace
}  // namespace footfall

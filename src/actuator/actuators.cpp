#include "footfall/actuator/actuators.hpp"

#include <algorithm>
#include <cmath>

#include "footfall/actuator/transmission.hpp"

namespace footfall {
namespace {

constexpr double kFade = 0.1;  ///< share of max_speed over which the driving torque fades away [-]

/// Share of a driving torque that is left at a speed in its own direction.
double shareAtSpeed(double speed, double max_speed) {
  if (std::isinf(max_speed)) return 1.0;
  return std::clamp((max_speed - speed) / (kFade * max_speed), 0.0, 1.0);
}

double limit(double torque, double max_torque, bool& limited) {
  limited = limited || std::abs(torque) > max_torque;
  return std::clamp(torque, -max_torque, max_torque);
}

/// One step of a motor: what it delivers, and why it is not what was asked for.
void turn(const Motor& motor, const MotorResponse& response, double& torque, double& rate, MotorReport& report) {
  report.torque_limited = false;
  const double wanted = limit(report.command, motor.max_torque, report.torque_limited);
  const double answer = response.advance(wanted, torque, rate);
  // A motor with little damping overshoots its command: the limit holds for what it delivers.
  report.torque = limit(answer, motor.max_torque, report.torque_limited);
  const double share = shareAtSpeed(std::copysign(1.0, report.torque) * report.speed, motor.max_speed);
  report.speed_limited = share < 1.0 && report.torque != 0.0;
  report.torque *= share;
}

void gather(const std::vector<DofIndex>& dofs, const Eigen::Ref<const VectorXd>& values, VectorXd& some) {
  for (int i = 0; i < some.size(); ++i) some[i] = values[dofs[i]];
}

}  // namespace

Actuators::Actuators(const Model& model, double dt) : model_(model), reports_(model.motors()) {
  int first_motor = 0;
  for (const Transmission& transmission : model.transmissions) {
    drives_.push_back(makeDrive(transmission, first_motor, dt));
    first_motor += static_cast<int>(transmission.motors.size());
  }
}

Actuators::Drive Actuators::makeDrive(const Transmission& transmission, int first_motor, double dt) {
  const auto count = static_cast<Eigen::Index>(transmission.motors.size());
  Drive drive{&transmission,
              inverseTransmission(transmission),
              viscousMatrix(transmission),
              {},
              first_motor,
              VectorXd(count),
              VectorXd(count),
              VectorXd(count),
              VectorXd(count),
              VectorXd(count)};
  drive.coupled_viscous.diagonal().setZero();
  for (const Motor& motor : transmission.motors)
    drive.responses.emplace_back(motor.natural_frequency, motor.damping_ratio, dt);
  return drive;
}

void Actuators::turnMotors(Drive& drive, VectorXd& memory) {
  double unused_torque = 0.0, unused_rate = 0.0;  // of a model in which all motors follow at once
  for (int k = 0; k < drive.torques.size(); ++k) {
    const int motor = drive.first_motor + k;
    MotorReport& report = reports_[motor];
    report.command = drive.commands[k];
    report.speed = drive.speeds[k];
    const bool remembers = memory.size() > 0;
    turn(drive.transmission->motors[k], drive.responses[k], remembers ? memory[2 * motor] : unused_torque,
         remembers ? memory[2 * motor + 1] : unused_rate, report);
    drive.torques[k] = report.torque;
  }
}

void Actuators::advance(const VectorXd& command, State& state, VectorXd& tau) {
  tau = command;
  for (Drive& drive : drives_) {
    const std::vector<DofIndex>& dofs = drive.transmission->dofs;
    gather(dofs, command, drive.joint_commands);
    gather(dofs, model_.jointVelocities(state.nu), drive.joint_speeds);
    drive.commands.noalias() = drive.transmission->T.transpose() * drive.joint_commands;
    drive.speeds.noalias() = drive.inverse * drive.joint_speeds;
    turnMotors(drive, state.motors);
    drive.joint_commands.noalias() = drive.inverse.transpose() * drive.torques;
    drive.joint_commands.noalias() -= drive.coupled_viscous * drive.joint_speeds;
    for (int i = 0; i < drive.joint_commands.size(); ++i) tau[dofs[i]] = drive.joint_commands[i];
  }
}

void Actuators::settle(const VectorXd& command, State& state) const {
  if (state.motors.size() == 0) return;
  for (const Drive& drive : drives_) {
    VectorXd joints(drive.joint_commands.size());
    gather(drive.transmission->dofs, command, joints);
    const VectorXd motors = drive.transmission->T.transpose() * joints;
    for (int k = 0; k < motors.size(); ++k) {
      const double most = drive.transmission->motors[k].max_torque;
      state.motors.segment<2>(2 * (drive.first_motor + k)) << std::clamp(motors[k], -most, most), 0.0;
    }
  }
}

}  // namespace footfall

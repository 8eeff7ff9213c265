#pragma once

#include <vector>

#include "footfall/actuator/motor_response.hpp"
#include "footfall/model/state.hpp"

namespace footfall {

/// What a motor did during a step; behind its gear.
struct MotorReport {
  double command = 0.0;         ///< asked for [N m]
  double torque = 0.0;          ///< delivered, mean of the step [N m]
  double speed = 0.0;           ///< at the start of the step [rad/s]
  bool torque_limited = false;  ///< max_torque has cut the command or the torque
  bool speed_limited = false;   ///< max_speed has cut the torque
};

/// All the motors of a model: joint torques that a controller asks for become joint torques that the robot gets.
///
///     command of the joints → Tᵀ → torque limit → second-order answer → torque and speed limits → T⁻ᵀ → joints
///
/// Close to its highest speed a motor's torque fades: from 90 % of max_speed on, the part that drives it on falls
/// linearly, and is nothing at max_speed. Torque that brakes is never cut.
///
/// Bound to a model and a step, scratch apart from that: the motors' memory is State::motors.
class Actuators {
 public:
  /// The model must outlive it. @param dt [s]
  Actuators(const Model& model, double dt);

  /// One step. The state's motors move on; its q and nu are read only.
  /// @param command for the joints, (n) [N m or N]
  /// @param tau     what the joints get, (n) [N m or N]
  void advance(const VectorXd& command, State& state, VectorXd& tau);

  /// Motors that have had this command for ever: where a simulation starts.
  void settle(const VectorXd& command, State& state) const;

  /// Of the last advance(), in the order of the model's transmissions.
  const std::vector<MotorReport>& reports() const { return reports_; }

 private:
  /// A transmission with what a step needs of it.
  struct Drive {
    const Transmission* transmission;
    MatrixXd inverse;          ///< T⁻¹
    MatrixXd coupled_viscous;  ///< off-diagonal part of the viscous friction: the diagonal is in Dof::damping
    std::vector<MotorResponse> responses;
    int first_motor;
    VectorXd commands, speeds, torques;     ///< of the motors
    VectorXd joint_commands, joint_speeds;  ///< of the joints
  };

  static Drive makeDrive(const Transmission& transmission, int first_motor, double dt);
  void turnMotors(Drive& drive, VectorXd& memory);

  const Model& model_;
  std::vector<Drive> drives_;
  std::vector<MotorReport> reports_;
};

}  // namespace footfall

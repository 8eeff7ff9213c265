#pragma once

#include <Eigen/Core>

namespace footfall {

/// How the torque of a motor answers to a command that is constant for a time dt:
///
///     τ̈ + 2 ζ ω τ̇ + ω² τ = ω² τ_cmd
///
/// (docs/theory.md (8)) in closed form: exact for every dt, for under-, critically and over-damped motors.
class MotorResponse {
 public:
  /// @param frequency ω > 0; infinite: the torque is the command [rad/s]
  /// @param damping_ratio ζ ≥ 0 [-]
  /// @param dt [s]
  MotorResponse(double frequency, double damping_ratio, double dt);

  /// Moves torque [N m] and rate [N m/s] on by dt; returns the mean torque of that time.
  double advance(double command, double& torque, double& rate) const;

 private:
  Eigen::Matrix2d transition_;  ///< of (τ − τ_cmd, τ̇)
  Eigen::RowVector2d mean_;     ///< mean of τ − τ_cmd from (τ − τ_cmd, τ̇) at the start
};

}  // namespace footfall

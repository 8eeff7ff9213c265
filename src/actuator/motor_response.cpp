#include "footfall/actuator/motor_response.hpp"

#include <cmath>

namespace footfall {
namespace {

/// exp(−ζ ω t) times C and S, where C(t) and S(t) solve ẍ = β² x with β² = ω² (ζ² − 1), and start with (1, 0) and (0,
/// 1).
struct DecayingPair {
  double C, S;
};

DecayingPair overdamped(double frequency, double zeta, double beta, double dt) {
  // Both exponents are written without differences: the slow one would lose its digits, cosh alone would overflow.
  const double slow = std::exp(-frequency * dt / (zeta + beta / frequency));
  const double fast = std::exp(-(zeta * frequency + beta) * dt);
  return {0.5 * (slow + fast), 0.5 * (slow - fast) / beta};
}

DecayingPair decayingPair(double frequency, double zeta, double dt) {
  constexpr double kSeries = 1e-3;  // below it four terms of the series are exact to rounding
  const double beta_squared = frequency * frequency * (zeta - 1.0) * (zeta + 1.0);
  const double x = beta_squared * dt * dt;
  const double decay = std::exp(-zeta * frequency * dt);
  if (std::abs(x) < kSeries) {
    return {decay * (1.0 + x / 2.0 * (1.0 + x / 12.0 * (1.0 + x / 30.0 * (1.0 + x / 56.0)))),
            decay * dt * (1.0 + x / 6.0 * (1.0 + x / 20.0 * (1.0 + x / 42.0 * (1.0 + x / 72.0))))};
  }
  const double beta = std::sqrt(std::abs(beta_squared));
  if (beta_squared > 0.0) return overdamped(frequency, zeta, beta, dt);
  return {decay * std::cos(beta * dt), decay * std::sin(beta * dt) / beta};
}

}  // namespace

MotorResponse::MotorResponse(double frequency, double damping_ratio, double dt) {
  transition_.setZero();
  mean_.setZero();
  if (std::isinf(frequency)) return;
  const double decay = damping_ratio * frequency, square = frequency * frequency;
  const auto [C, S] = decayingPair(frequency, damping_ratio, dt);
  transition_ << C + decay * S, S, -square * S, C - decay * S;
  // The equation of motion, integrated over the step, has the mean torque as its only unknown.
  mean_ << 2.0 * decay * (transition_(0, 0) - 1.0) + transition_(1, 0),
      2.0 * decay * transition_(0, 1) + transition_(1, 1) - 1.0;
  mean_ /= -square * dt;
}

double MotorResponse::advance(double command, double& torque, double& rate) const {
  const Eigen::Vector2d start(torque - command, rate);
  const Eigen::Vector2d end = transition_ * start;
  torque = command + end[0];
  rate = end[1];
  return command + mean_ * start;
}

}  // namespace footfall

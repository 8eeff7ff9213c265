#include "footfall/actuator/motor_response.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace footfall {
namespace {

constexpr double kFrequency = 40.0;  ///< [rad/s]

/// Torque after t from rest, for a step of the command from 0 to 1: the text-book solutions.
double stepAnswer(double zeta, double t) {
  const double w = kFrequency;
  if (zeta == 1.0) return 1.0 - std::exp(-w * t) * (1.0 + w * t);
  if (zeta < 1.0) {
    const double damped = w * std::sqrt(1.0 - zeta * zeta);
    return 1.0 - std::exp(-zeta * w * t) * (std::cos(damped * t) + zeta * w / damped * std::sin(damped * t));
  }
  const double root = std::sqrt(zeta * zeta - 1.0);
  const double slow = -w * (zeta - root), fast = -w * (zeta + root);
  return 1.0 - (fast * std::exp(slow * t) - slow * std::exp(fast * t)) / (fast - slow);
}

class StepOfTheCommand : public testing::TestWithParam<double> {};

TEST_P(StepOfTheCommand, IsAnsweredByTheClosedForm) {
  const double dt = 1e-3;
  const MotorResponse response(kFrequency, GetParam(), dt);
  double torque = 0.0, rate = 0.0, impulse = 0.0, expected_impulse = 0.0;
  for (int k = 1; k <= 300; ++k) {
    impulse += dt * response.advance(1.0, torque, rate);
    // Rounding of 300 products; near ζ = 1 the text-book form itself loses half of the digits.
    ASSERT_NEAR(torque, stepAnswer(GetParam(), dt * k), std::abs(GetParam() - 1.0) < 1e-4 ? 1e-8 : 1e-12)
        << "step " << k;
    // Simpson's rule: its error is dt⁴ ω⁴ / 2880 in each step, summed over 0.3 s.
    expected_impulse += dt / 6.0 *
                        (stepAnswer(GetParam(), dt * (k - 1)) + 4.0 * stepAnswer(GetParam(), dt * (k - 0.5)) +
                         stepAnswer(GetParam(), dt * k));
  }
  EXPECT_NEAR(impulse, expected_impulse, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(DampingRatios, StepOfTheCommand,
                         testing::Values(0.0, 0.2, 0.7, 1.0 - 1e-7, 1.0, 1.0 + 1e-7, 3.0),
                         [](const auto& test) { return "case_" + std::to_string(test.index); });

TEST(MotorResponse, OneLongStepIsManyShortOnes) {
  for (const double zeta : {0.0, 0.3, 1.0, 1.0001, 50.0}) {
    const MotorResponse once(kFrequency, zeta, 0.1), often(kFrequency, zeta, 1e-4);
    double torque = 0.3, rate = -5.0, torque_often = 0.3, rate_often = -5.0, sum = 0.0;
    const double mean = once.advance(2.0, torque, rate);
    for (int k = 0; k < 1000; ++k) sum += often.advance(2.0, torque_often, rate_often);
    // A thousand roundings of numbers up to ω = 40 times the torque.
    EXPECT_NEAR(torque, torque_often, 1e-11) << "ζ = " << zeta;
    EXPECT_NEAR(rate, rate_often, 1e-10) << "ζ = " << zeta;
    EXPECT_NEAR(mean, sum / 1000.0, 1e-10) << "ζ = " << zeta;
  }
}

TEST(MotorResponse, StiffMotorsHaveNoOverflow) {
  double torque = 0.0, rate = 0.0;
  const double mean = MotorResponse(1e7, 5.0, 1.0).advance(3.0, torque, rate);
  EXPECT_NEAR(torque, 3.0, 1e-12);
  EXPECT_NEAR(mean, 3.0, 1e-5);
  EXPECT_EQ(rate, 0.0);
}

TEST(MotorResponse, AMotorWithoutDynamicsFollowsAtOnce) {
  double torque = 7.0, rate = 1.0;
  EXPECT_EQ(MotorResponse(std::numeric_limits<double>::infinity(), 1.0, 1e-3).advance(3.0, torque, rate), 3.0);
  EXPECT_EQ(torque, 3.0);
  EXPECT_EQ(rate, 0.0);
}

}  // namespace
}  // namespace footfall

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "block_library/library_tools.hpp"

namespace footfall::test {
namespace {

TEST(DiscretePid, FollowsASequenceComputedByHand) {
  // T = 0.1, kp = 2, ki = 1, kd = 0.2, filter = 0.1; error 1, 1, 2, 2; upper limit 4.4.
  Rig rig;
  rig.add("e", "Step", {{"time", 0.2}, {"before", 1.0}, {"after", 2.0}});
  rig.add("pid", "DiscretePID",
          {{"kp", 2.0}, {"ki", 1.0}, {"kd", 0.2}, {"filter", 0.1}, {"upper", 4.4}, {"sample", 0.1}});
  const Diagram diagram = rig.connect("e", "pid").build(0.1);
  Context context = diagram.makeContext();
  // k = 0: rate 0,                              I = 0   → 2
  // k = 1: rate 0,                              I = 0.1 → 2.1
  // k = 2: rate (0.1·0 + 1)/0.2 = 5,            I = 0.2 → 4 + 0.2 + 1 = 5.2, limited; I stands
  // k = 3: rate (0.1·5 + 0)/0.2 = 2.5,          I = 0.2 → 4 + 0.2 + 0.5 = 4.7, limited; I stands
  // k = 4: rate 1.25,                           I = 0.2 → 4 + 0.2 + 0.25 = 4.45, limited; I stands
  // k = 5: rate 0.625,                          I = 0.2 → 4.325; I += 0.2
  // k = 6: rate 0.3125,                         I = 0.4 → 4.4625, limited
  for (const double expected : {2.0, 2.1, 4.4, 4.4, 4.4, 4.325, 4.4}) {
    diagram.step(context);
    EXPECT_NEAR(context.signal("pid.out")[0], expected, 1e-14);
  }
}

TEST(Pid, OfAConstantErrorIsTheSumOfItsParts) {
  Rig rig;
  rig.add("e", "Constant", {{"value", list({1, -2})}});
  rig.add("pid", "PID", {{"kp", list({2, 3})}, {"ki", 0.5}, {"kd", 0.1}, {"filter", "20 ms"}});
  const Diagram diagram = rig.connect("e", "pid").build(1e-3);
  Context context = diagram.makeContext();
  for (int k = 0; k < 200; ++k) {
    diagram.step(context);
    const double t = context.signalTime(), rest = 0.5 * t + 0.1 / 0.02 * std::exp(-t / 0.02);
    // (h/τ)⁴/120 = 5e-8 relative, times 5.
    EXPECT_NEAR(context.signal("pid.out")[0], 2.0 + rest, 3e-7);
    EXPECT_NEAR(context.signal("pid.out")[1], -6.0 - 2.0 * rest, 6e-7);
  }
}

TEST(Pid, DoesNotWindUpWhileItsOutputIsLimited) {
  Rig rig;
  rig.add("e", "Step", {{"time", 5.0}, {"before", 1.0}, {"after", -1.0}});
  rig.add("pid", "PID", {{"kp", 1.0}, {"ki", 1.0}, {"upper", 2.0}, {"lower", -2.0}});
  const Diagram diagram = rig.connect("e", "pid").build(1e-3);
  Context context = diagram.makeContext();
  while (context.ticks() < 5000) diagram.step(context);
  diagram.step(context);
  // Limited from t = 1 on, when the integral is 1: it stands there, and the output drops to −1 + 1.
  EXPECT_NEAR(context.signal("pid.out")[0], 0.0, 2e-3);
}

TEST(Pd, PullsTowardsTheDesiredMotion) {
  const Parameters gains{{"kp", list({10, 20})}, {"kd", 2.0}, {"upper", 15.0}};
  const std::vector<std::pair<std::string, ParameterValue>> state = {
      {"position", list({1, 2})}, {"velocity", list({3, 4})}, {"desired_position", list({2, 4})}};
  EXPECT_EQ(valueOf("PD", gains, state), vec({10 - 6, 15}));
  auto more = state;
  more.push_back({"desired_velocity", list({1, 1})});
  more.push_back({"feedforward", -30.0});
  EXPECT_EQ(valueOf("PD", gains, more), vec({-30 + 10 - 4, -30 + 40 - 6}));
}

/// H, g, A, lower and upper as constants.
Diagram qp(const Parameters& parameters, const ParameterValue& lower, const ParameterValue& upper) {
  Rig rig;
  rig.add("qp", "QuadraticProgram", parameters);
  rig.add("H", "Constant", {{"value", rows({{2, 0}, {0, 2}})}}).connect("H", "qp.H");
  rig.add("g", "Constant", {{"value", list({-2, -8})}}).connect("g", "qp.g");
  rig.add("A", "Constant", {{"value", rows({{1, 1}})}}).connect("A", "qp.A");
  rig.add("lower", "Step", {{"time", 0.01}, {"before", -100.0}, {"after", lower}}).connect("lower", "qp.lower");
  rig.add("upper", "Constant", {{"value", upper}}).connect("upper", "qp.upper");
  return rig.build(0.01);
}

TEST(QuadraticProgram, FindsTheOptimumWithinItsConstraints) {
  // The free optimum (1, 4) goes straight to the line x + y = 3.
  const Diagram diagram = qp({}, -10.0, 3.0);
  Context context = diagram.makeContext();
  ASSERT_TRUE(diagram.step(context));
  EXPECT_TRUE(context.signal("qp.x").isApprox(vec({0, 3}), 1e-14));
  EXPECT_EQ(context.signal("qp.solved")[0], 1.0);
  EXPECT_NEAR(context.signal("qp.multipliers")[0], 2.0, 1e-14);
}

TEST(QuadraticProgram, SaysWhatHappenedWithoutASolution) {
  const Diagram stops = qp({}, 4.0, 3.0);
  Context context = stops.makeContext();
  ASSERT_TRUE(stops.step(context));
  EXPECT_FALSE(stops.step(context));
  EXPECT_NE(context.stopReason().find("2 variables and 1 constraints is infeasible"), std::string::npos);

  const Diagram holds = qp({{"on_failure", "hold"}}, 4.0, 3.0);
  Context held = holds.makeContext();
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(holds.step(held));
  EXPECT_TRUE(held.signal("qp.x").isApprox(vec({0, 3}), 1e-14));
  EXPECT_EQ(held.signal("qp.solved")[0], 0.0);
  EXPECT_EQ(held.signal("qp.status")[0], 1.0);
}

TEST(QuadraticProgram, RefusesShapesThatDoNotFit) {
  Rig rig;
  rig.add("qp", "QuadraticProgram");
  rig.add("H", "Constant", {{"value", rows({{2, 0}, {0, 2}})}}).connect("H", "qp.H");
  rig.add("g", "Constant", {{"value", list({1, 2, 3})}}).connect("g", "qp.g");
  const std::string message = messageOf([&] { rig.build(); });
  EXPECT_NE(message.find("'qp'"), std::string::npos) << message;
  EXPECT_NE(message.find("'H' is a matrix of 2 × 2, expected 3 × 3"), std::string::npos) << message;
}

}  // namespace
}  // namespace footfall::test

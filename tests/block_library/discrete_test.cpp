// Blocks that move from sample to sample, and rates that meet.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "block_library/library_tools.hpp"

namespace footfall::test {
namespace {

TEST(Delay, ChainsAreExact) {
  Rig rig;
  rig.add("clock", "Clock");
  std::string last = "clock";
  int total = 0;
  for (int k = 1; k <= 10; ++k) {
    const std::string name = "delay" + std::to_string(k);
    rig.add(name, "Delay", {{"samples", k}, {"initial", -1.0}}).connect(last, name);
    last = name;
    total += k;
  }
  const auto values = record(rig.build(), last + ".out", 200);
  for (int k = 0; k < 200; ++k) EXPECT_DOUBLE_EQ(values[k], k < total ? -1.0 : (k - total) * 1e-3) << k;
}

TEST(Delay, KeepsTheTypeOfABusAndItsUnits) {
  Rig rig;
  rig.add("clock", "Clock").add("v", "Constant", {{"value", list({1, 2})}, {"unit", "N"}});
  rig.add("bus", "BusCreate", {{"fields", texts({"t", "v"})}}).connect("clock", "bus.t").connect("v", "bus.v");
  rig.add("delay", "Delay", {{"samples", 2}, {"initial", list({7, 8, 9})}}).connect("bus", "delay");
  const Diagram diagram = rig.build();
  Context context = diagram.makeContext();
  diagram.step(context);
  EXPECT_EQ(context.signal("delay.out"), vec({7, 8, 9}));
  for (int k = 0; k < 3; ++k) diagram.step(context);
  EXPECT_EQ(context.signal("delay.out"), vec({1e-3, 1, 2}));
  EXPECT_EQ(context.signalType("delay.out.v").unit, "N");
}

TEST(Types, SpreadAroundALoopWithADelay) {
  // x⁺ = 0.5 x + u: the size comes from u, the delay learns it around the loop.
  Rig rig;
  rig.add("u", "Constant", {{"value", list({1, 2, 3})}});
  rig.add("sum", "Sum").add("delay", "UnitDelay").add("half", "Gain", {{"factor", 0.5}});
  rig.connect("delay", "half").connect("half", "sum.in1").connect("u", "sum.in2").connect("sum", "delay");
  const Diagram diagram = rig.build();
  Context context = diagram.makeContext();
  for (int k = 0; k < 60; ++k) diagram.step(context);
  EXPECT_TRUE(context.signal("delay.out").isApprox(vec({2, 4, 6}), 1e-14));
}

TEST(Types, AreWhatTheInitialValueSaysWhereOnlyALoopCouldTell) {
  const auto loop = [](const Parameters& delay) {
    Rig rig;
    rig.add("gain", "Gain", {{"factor", 2.0}}).add("delay", "Delay", delay);
    return rig.connect("delay", "gain").connect("gain", "delay").build();
  };
  EXPECT_EQ(record(loop({{"initial", 1.0}}), "delay.out", 5)[4], 16.0) << "a scalar when nobody says otherwise";
  const Diagram pair = loop({{"initial", list({1, 3})}}), triple = loop({{"initial", 1.0}, {"size", 3}});
  EXPECT_EQ(pair.makeContext().signal("gain.out").size(), 2);
  EXPECT_EQ(triple.makeContext().signal("gain.out").size(), 3);
}

TEST(Types, AreNotGuessedWhereABlockThatComesLaterKnowsThem) {
  Rig rig;
  rig.add("delay", "Delay", {{"initial", 1.0}}).add("gain", "Gain", {{"factor", rows({{1, 1, 1}})}});
  rig.add("late", "Constant", {{"value", list({1, 2, 3})}}).connect("late", "delay").connect("delay", "gain");
  EXPECT_EQ(record(rig.build(), "gain.out", 2)[1], 6.0);
}

TEST(Rates, ASlowBlockIsHeldForAFastReader) {
  Rig rig;
  rig.add("clock", "Clock").add("slow", "ZeroOrderHold", {{"sample", "10 ms"}}).connect("clock", "slow");
  rig.add("fast", "Gain", {{"factor", 1.0}, {"sample", "1 ms"}}).connect("slow", "fast");
  const auto values = record(rig.build(), "fast.out", 100);
  for (int k = 0; k < 100; ++k) {
    const int sampled = k / 10 * 10;
    EXPECT_EQ(values[k], sampled * 1e-3) << k;
  }
}

TEST(Rates, AFastBlockIsReadAtTheSamplesOfASlowOne) {
  Rig rig;
  rig.add("count", "Counter", {{"sample", "1 ms"}});
  rig.add("slow", "Gain", {{"factor", 1.0}, {"sample", "10 ms"}}).connect("count", "slow");
  const auto values = record(rig.build(), "slow.out", 100);
  for (int k = 0; k < 100; ++k) EXPECT_EQ(values[k], k / 10 * 10) << k;
}

TEST(RateTransition, DeliversOneSampleLater) {
  Rig rig;
  rig.add("clock", "Clock");
  rig.add("bus", "RateTransition", {{"sample", "10 ms"}, {"initial", -1.0}}).connect("clock", "bus");
  const auto values = record(rig.build(), "bus.out", 100);
  for (int k = 0; k < 100; ++k) {
    const int sampled = (k / 10 - 1) * 10;
    EXPECT_EQ(values[k], k < 10 ? -1.0 : sampled * 1e-3) << k;
  }
}

TEST(DiscreteIntegrator, SumsByTheRuleOfItsName) {
  const auto sums = [](const char* method) {
    Rig rig;
    rig.add("u", "Step", {{"time", 0.2}, {"before", 1.0}, {"after", 3.0}});
    rig.add("sum", "DiscreteIntegrator", {{"sample", 0.1}, {"method", method}, {"initial", 5.0}})
        .connect("u", "sum.in");
    return record(rig.build(0.1), "sum.out", 5);
  };
  const auto expect = [](const std::vector<double>& values, const std::vector<double>& expected) {
    for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(values[k], expected[k], 1e-14) << k;
  };
  expect(sums("forward"), {5.0, 5.1, 5.2, 5.5, 5.8});
  expect(sums("backward"), {5.1, 5.2, 5.5, 5.8, 6.1});
  expect(sums("trapezoidal"), {5.05, 5.15, 5.35, 5.65, 5.95});
}

TEST(DiscreteTransferFunction, FollowsItsDifferenceEquation) {
  // y[k] = 0.9 y[k−1] + 0.5 u[k] + 0.2 u[k−1]
  Rig rig;
  rig.add("u", "Sine", {{"frequency", 20.0}, {"phase", 1.0}});
  rig.add("h", "DiscreteTransferFunction", {{"numerator", list({0.5, 0.2})}, {"denominator", list({1, -0.9})}});
  rig.connect("u", "h");
  const Diagram diagram = rig.build();
  const auto u = record(diagram, "u.out", 50), y = record(diagram, "h.out", 50);
  double past_y = 0.0, past_u = 0.0;
  for (int k = 0; k < 50; ++k) {
    const double expected = 0.9 * past_y + 0.5 * u[k] + 0.2 * past_u;
    EXPECT_NEAR(y[k], expected, 1e-13) << k;
    past_y = expected;
    past_u = u[k];
  }
}

TEST(DiscreteStateSpace, FollowsItsMatrices) {
  Rig rig;
  rig.add("one", "Constant", {{"value", 1.0}}).add("clock", "Clock");
  rig.add("s", "DiscreteStateSpace",
          {{"A", rows({{0, 1}, {-0.5, 0.3}})},
           {"B", rows({{0}, {1}})},
           {"C", rows({{1, 2}})},
           {"D", 4.0},
           {"initial", list({1, -1})},
           {"sample", 1e-3}});
  rig.connect("one", "s");
  const auto y = record(rig.build(), "s.out", 4);
  Eigen::Vector2d x(1, -1);
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(y[k], x[0] + 2 * x[1] + 4.0, 1e-14);
    x = Eigen::Vector2d(x[1], -0.5 * x[0] + 0.3 * x[1] + 1.0);
  }
}

TEST(DiscreteFilter, WeakensItsCutOffFrequencyByThreeDecibelsAndPassesConstants) {
  for (const int order : {1, 2}) {
    Rig rig;
    rig.add("u", "Sine", {{"frequency", 5.0}});
    rig.add("f", "DiscreteFilter", {{"cutoff", "5 Hz"}, {"order", order}, {"sample", 1e-3}}).connect("u", "f");
    const auto y = record(rig.build(), "f.out", 4000);
    EXPECT_NEAR(*std::max_element(y.begin() + 3000, y.end()), std::numbers::sqrt2 / 2.0, 1e-4) << order;

    Rig still;
    still.add("u", "Constant", {{"value", 3.0}});
    still.add("f", "DiscreteFilter", {{"cutoff", "5 Hz"}, {"order", order}, {"sample", 1e-3}, {"initial", 3.0}});
    for (const double value : record(still.connect("u", "f").build(), "f.out", 20)) EXPECT_NEAR(value, 3.0, 1e-13);
  }
}

TEST(Counter, CountsWrapsAndResets) {
  Rig rig;
  rig.add("count", "Counter", {{"limit", 3}, {"sample", 1e-3}});
  EXPECT_EQ(record(rig.build(), "count.out", 7), (std::vector<double>{0, 1, 2, 0, 1, 2, 0}));
}

TEST(RateLimiter, FollowsNoFasterThanItsRates) {
  Rig rig;
  rig.add("u", "Step", {{"time", 0.2}, {"before", 0.0}, {"after", 1.0}});
  rig.add("l", "RateLimiter", {{"rise", 2.0}, {"fall", 1.0}}).connect("u", "l");
  const auto values = record(rig.build(0.1), "l.out", 9);
  const double expected[] = {0, 0, 0.2, 0.4, 0.6, 0.8, 1, 1, 1};
  for (int k = 0; k < 9; ++k) EXPECT_NEAR(values[k], expected[k], 1e-14) << k;
}

}  // namespace
}  // namespace footfall::test

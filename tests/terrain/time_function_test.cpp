#include "footfall/terrain/time_function.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "model/error_of.hpp"

namespace footfall {
namespace {

const std::vector<TimePoint> kRows = {{0.5, 1.0}, {1.0, 3.0}, {1.75, 2.0}, {2.0, 2.5}};

struct Named {
  std::string name;
  TimeFunction function;
};

std::vector<Named> everyKind() {
  return {{"linear", TimeFunction::linear(0.3, -2.0)},
          {"sine", TimeFunction::sine({0.1, 3.0, 0.4})},
          {"table", TimeFunction::table(kRows)},
          {"smooth table", TimeFunction::smoothTable(kRows)},
          {"rates", TimeFunction::fromRates(kRows, 0.2)}};
}

TEST(TimeFunction, RateIsTheDerivativeOfTheValue) {
  constexpr double kStep = 1e-6;
  for (const auto& [name, function] : everyKind())
    // Between the knots: at those the rate of a table jumps.
    for (double t = 0.013; t < 3.0; t += 0.0371) {
      const double difference = (function.value(t + kStep) - function.value(t - kStep)) / (2.0 * kStep);
      // Third derivatives are below 700 (sine), so the error is below 700 · 1e-12 / 6; rounding 3e-16 / 1e-6.
      EXPECT_NEAR(function.rate(t), difference, 2e-9) << name << " at " << t;
    }
}

TEST(TimeFunction, MeanRateIsTheChangeOfTheValue) {
  for (const auto& [name, function] : everyKind())
    for (const double dt : {1e-3, 0.3, 5.0})
      for (double t = -0.2; t < 3.0; t += 0.171) {
        const double difference = function.value(t + dt) - function.value(t);
        EXPECT_NEAR(function.change({t, dt}), difference, 1e-14) << name << " at " << t;  // values are below 10
        EXPECT_NEAR(function.meanRate({t, dt}), difference / dt, 1e-14 / dt) << name << " at " << t;
        EXPECT_EQ(function.meanRate(t), function.rate(t)) << name << " at " << t;
      }
}

TEST(TimeFunction, ChangeKeepsItsDigitsLateInALongRun) {
  // The values themselves are around 1e6: their difference over a nanosecond would have no digit left.
  EXPECT_DOUBLE_EQ(TimeFunction::linear(0.0, 2.0).meanRate({5e5, 1e-9}), 2.0);
}

TEST(TimeFunction, TablesMeetTheirPoints) {
  for (const TimePoint& row : kRows) {
    EXPECT_DOUBLE_EQ(TimeFunction::table(kRows).value(row.time), row.value);
    EXPECT_DOUBLE_EQ(TimeFunction::smoothTable(kRows).value(row.time), row.value);
    EXPECT_DOUBLE_EQ(TimeFunction::fromRates(kRows).rate(row.time), row.value);
  }
}

TEST(TimeFunction, TablesStayBeforeAndAfter) {
  for (const TimeFunction& table : {TimeFunction::table(kRows), TimeFunction::smoothTable(kRows)}) {
    EXPECT_EQ(table.value(-3.0), 1.0);
    EXPECT_EQ(table.value(9.0), 2.5);
    EXPECT_EQ(table.rate(-3.0), 0.0);
    EXPECT_EQ(table.rate(9.0), 0.0);
  }
  const TimeFunction ramp = TimeFunction::fromRates(kRows, 0.2);
  EXPECT_EQ(ramp.rate(-3.0), 1.0);
  EXPECT_EQ(ramp.rate(9.0), 2.5);
  EXPECT_DOUBLE_EQ(ramp.value(0.5), 0.2);
}

TEST(TimeFunction, SmoothTableHasContinuousRateAndAcceleration) {
  const TimeFunction table = TimeFunction::smoothTable(kRows);
  constexpr double kSide = 1e-7, kStep = 1e-4;
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    const double t = kRows[i].time;
    // Accelerations are below 100 here, third derivatives below 1000.
    EXPECT_NEAR(table.rate(t - kSide), table.rate(t + kSide), 100.0 * 2.0 * kSide);
    if (i == 0 || i + 1 == kRows.size()) continue;
    const double before = (table.rate(t - kSide) - table.rate(t - kSide - kStep)) / kStep;
    const double after = (table.rate(t + kSide + kStep) - table.rate(t + kSide)) / kStep;
    EXPECT_NEAR(before, after, 1000.0 * kStep);
  }
}

TEST(TimeFunction, RatesGiveConstantAcceleration) {
  // A lift that speeds up with 2 m/s² for one second, drives, and brakes with 15 m/s².
  const std::vector<TimePoint> rates = {{0.0, 0.0}, {1.0, 2.0}, {3.0, 2.0}, {3.0 + 2.0 / 15.0, 0.0}};
  const TimeFunction lift = TimeFunction::fromRates(rates);
  EXPECT_DOUBLE_EQ(lift.value(0.6), 0.36);
  EXPECT_DOUBLE_EQ(lift.value(3.0), 5.0);
  EXPECT_NEAR(lift.value(10.0), 5.0 + 2.0 / 15.0, 1e-14);
  EXPECT_NEAR(lift.rate(3.1), 2.0 - 1.5, 1e-14);
}

TEST(TimeFunction, FormulaHasItsExactRate) {
  const TimeFunction law = TimeFunction::formula("0.3*sin(2*pi*t)*exp(-t)");
  const double t = 0.7, w = 2.0 * std::numbers::pi;
  EXPECT_DOUBLE_EQ(law.value(t), 0.3 * std::sin(w * t) * std::exp(-t));
  EXPECT_NEAR(law.rate(t), 0.3 * std::exp(-t) * (w * std::cos(w * t) - std::sin(w * t)), 1e-15);
  EXPECT_NEAR(law.change({t, 0.1}), law.value(0.8) - law.value(0.7), 1e-15);
  EXPECT_EQ(errorOf([] { TimeFunction::formula("1/t"); }).problem(),
            "'1/t' is inf at t = 0 s, expected a finite number");
  EXPECT_NE(errorOf([] { TimeFunction::formula("sqrt(-t)"); }).problem().find("nan at t = 1e-09 s"), std::string::npos);
  const Error wrong = errorOf([] { TimeFunction::formula("x + 1"); });
  EXPECT_EQ(wrong.where(), "motion.formula");
  EXPECT_NE(wrong.problem().find("unknown name 'x'"), std::string::npos) << wrong.problem();
  EXPECT_NE(wrong.hint().find('t'), std::string::npos);
}

TEST(TimeFunction, NamesTheFieldThatIsWrong) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(errorOf([] { TimeFunction::table({}); }).problem(), "the table is empty, expected rows of time and value");
  const std::vector<TimePoint> backwards = {{0.0, 1.0}, {1.0, 1.0}, {1.0, 2.0}};
  EXPECT_EQ(errorOf([&] { TimeFunction::smoothTable(backwards); }).problem(),
            "the time of row 3 is 1 s, expected more than the 1 s of the row before");
  const std::vector<TimePoint> bad = {{0.0, 1.0}, {1.0, nan}};
  EXPECT_EQ(errorOf([&] { TimeFunction::fromRates(bad); }).problem(), "row 2 is [1, nan], expected finite numbers");
  EXPECT_EQ(errorOf([] { TimeFunction::sine({0.1, -1.0, 0.0}); }).where(), "motion.frequency");
  EXPECT_EQ(errorOf([&] { TimeFunction::sine({nan, 1.0, 0.0}); }).where(), "motion.amplitude");
  EXPECT_EQ(errorOf([&] { TimeFunction::linear(0.0, nan); }).where(), "motion.rate");
}

}  // namespace
}  // namespace footfall

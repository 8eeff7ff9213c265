#include "footfall/terrain/formula.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "model/error_of.hpp"

namespace footfall {
namespace {

TEST(Formula, FollowsTheRulesOfArithmetic) {
  const auto value = [](const std::string& text) { return Formula(text).at(2.0, 3.0).z; };
  EXPECT_EQ(value("1+2*3"), 7.0);
  EXPECT_EQ(value("(1+2)*3"), 9.0);
  EXPECT_EQ(value("10-4-3"), 3.0);
  EXPECT_EQ(value("12/2/3"), 2.0);
  EXPECT_EQ(value("-x^2"), -4.0);
  EXPECT_EQ(value("2^3^2"), 512.0);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("--y"), 3.0);
  EXPECT_EQ(value(" 1.5e-1 * x "), 0.3);
  EXPECT_EQ(value("min(x, y) + max(x, y)*10"), 32.0);
  EXPECT_EQ(value("pow(x, 3) + abs(-y) + sqrt(x*8)"), 15.0);
  EXPECT_DOUBLE_EQ(value("sin(pi/2) + cos(0) + tan(0) + exp(0) + log(1)"), 3.0);
  EXPECT_DOUBLE_EQ(value("0.05*sin(3*x)*cos(2*y)"), 0.05 * std::sin(6.0) * std::cos(6.0));
}

const char* const kFormulas[] = {"0.05*sin(3*x)*cos(2*y)", "x^2*y - y/(2+x)",    "exp(-x*x)*tan(0.3*y)",
                                 "sqrt(x^2+y^2+0.1)",      "abs(x-0.31)*abs(y)", "min(x, 0.2*y)",
                                 "max(0.1, sin(x)*y)",     "log(2+x)^3",         "pow(2+x, y)",
                                 "(x-y)^-2 + 0*x",         "1/((x-y)^2+0.01)",   "0.1*sin(5*sqrt(x^2+y^2))"};

TEST(Formula, SlopesAreTheDerivatives) {
  constexpr double kStep = 1e-6;
  for (const char* text : kFormulas) {
    const Formula formula(text);
    for (const double x : {-0.93, -0.2, 0.47})
      for (const double y : {-0.61, 0.13, 0.88}) {
        const Height height = formula.at(x, y);
        const double dx = (formula.at(x + kStep, y).z - formula.at(x - kStep, y).z) / (2.0 * kStep);
        const double dy = (formula.at(x, y + kStep).z - formula.at(x, y - kStep).z) / (2.0 * kStep);
        // The steepest third derivative here is about 24 / 0.3⁵ (x−y = 0.33); rounding 1e-14 / 1e-6.
        EXPECT_NEAR(height.slope_x, dx, 2e-8) << text << " at " << x << ' ' << y;
        EXPECT_NEAR(height.slope_y, dy, 2e-8) << text << " at " << x << ' ' << y;
      }
  }
}

TEST(Formula, LimitsHoldInEveryRectangle) {
  constexpr double kBeside = 1e-4;  // [m]
  for (const char* text : kFormulas) {
    const Formula formula(text);
    for (double x = -1.0; x < 1.0; x += 0.2)
      for (double y = -1.0; y < 1.0; y += 0.2) {
        const HeightLimits limits = formula.limits(x, x + 0.2, y, y + 0.2);
        for (double i = 0.05; i < 1.0; i += 0.15)
          for (double k = 0.025; k < 1.0; k += 0.15) {
            const Height height = formula.at(x + 0.2 * i, y + 0.2 * k);
            EXPECT_LE(height.z, limits.highest) << text;
            EXPECT_LE(std::hypot(height.slope_x, height.slope_y), limits.steepest) << text;
            const Height beside = formula.at(x + 0.2 * i + kBeside, y + 0.2 * k + kBeside);
            const double change = std::hypot(beside.slope_x - height.slope_x, beside.slope_y - height.slope_y) /
                                  (std::sqrt(2.0) * kBeside);
            EXPECT_LE(change, limits.sharpest * (1.0 + 1e-6) + 1e-6) << text;
          }
      }
  }
}

TEST(Formula, LimitsOfWavesAreTight) {
  const FormulaMap map("0.05*sin(3*x)*cos(2*y)", 10.0, 6.0);
  EXPECT_NEAR(map.limits().highest, 0.05, 1e-3);
  EXPECT_GE(map.limits().steepest, 0.15);
  EXPECT_LT(map.limits().steepest, 0.19);  // both slopes at their largest at once would be hypot(0.15, 0.1)
  EXPECT_GE(map.limits().sharpest, 0.45);
  EXPECT_LT(map.limits().sharpest, 0.8);  // 0.05 · 3² + 0.05 · 3 · 2
}

TEST(Formula, KnowsThatItsSlopeJumps) {
  for (const char* text : {"abs(x)", "max(x, 0.1*y)", "min(x^2, 0.3)", "0.1*x + abs(sin(3*y))"})
    EXPECT_TRUE(std::isinf(FormulaMap(text, 2.0, 2.0).limits().sharpest)) << text;
  for (const char* text : {"abs(x + 5)", "max(x, 7)", "x^2 + y^3", "exp(-x^2)"})
    EXPECT_TRUE(std::isfinite(FormulaMap(text, 2.0, 2.0).limits().sharpest)) << text;
}

TEST(Formula, HasALevelTipWhereThereIsNoSlope) {
  EXPECT_EQ(Formula("sqrt(x^2+y^2)").at(0.0, 0.0).slope_x, 0.0);
  EXPECT_EQ(Formula("abs(x)").at(0.0, 0.0).slope_x, 0.0);
}

TEST(FormulaMap, GoesOnLevelBeyondItsBorder) {
  const FormulaMap map("0.1*x + 0.2*y", 4.0, 2.0);
  EXPECT_NEAR(map.at(1.0, 0.5).slope_x, 0.1, 1e-16);
  EXPECT_NEAR(map.at(9.0, 0.5).z, 0.3, 1e-15);
  EXPECT_EQ(map.at(9.0, 0.5).slope_x, 0.0);
  EXPECT_EQ(map.at(9.0, 0.5).slope_y, 0.2);
  EXPECT_EQ(map.at(0.0, -7.0).slope_y, 0.0);
}

TEST(Formula, NamesThePlaceThatIsWrong) {
  const auto error = [](const std::string& text) { return errorOf([&] { Formula{text}; }); };
  EXPECT_EQ(error("0.1*sinn(x)").problem(), "unknown function 'sinn' at position 5 of '0.1*sinn(x)'");
  EXPECT_EQ(error("0.1*sinn(x)").hint(), "did you mean 'sin'?");
  EXPECT_EQ(error("0.1*z").problem(), "unknown name 'z' at position 5 of '0.1*z'");
  EXPECT_EQ(error("sin*x").problem(), "expected '(' after the function 'sin' at position 4 of 'sin*x'");
  EXPECT_EQ(error("min(x)").problem(), "the function 'min' takes 2 arguments, found 1 at position 1 of 'min(x)'");
  EXPECT_EQ(error("(x+1").problem(), "expected ')', found the end at position 5 of '(x+1'");
  EXPECT_EQ(error("x+1)").problem(), "unexpected ')' at position 4 of 'x+1)'");
  EXPECT_EQ(error("2 x").problem(), "unexpected 'x' at position 3 of '2 x'");
  EXPECT_EQ(error("x+*2").problem(),
            "expected a number, x, y, a function or a bracket, found '*' at position 3 of 'x+*2'");
  EXPECT_EQ(error("").problem(), "expected a number, x, y, a function or a bracket, found the end at position 1 of ''");
}

TEST(Formula, SurvivesHostileText) {
  EXPECT_EQ(errorOf([] { Formula(std::string(100000, '(')); }).where(), "ground.formula");
  EXPECT_EQ(errorOf([] { Formula(std::string(100000, '-') + "x"); }).where(), "ground.formula");
  std::string deep = "x";
  for (int i = 0; i < 60; ++i) deep = "x+(" + deep + ")";
  EXPECT_EQ(errorOf([&] { Formula{deep}; }).where(), "ground.formula");
  std::string deep_enough = "x";
  for (int i = 0; i < 30; ++i) deep_enough = "x+(" + deep_enough + ")";
  EXPECT_EQ(Formula(deep_enough).at(2.0, 0.0).z, 62.0);
}

TEST(FormulaMap, NamesThePlaceWhereTheHeightIsNotFinite) {
  const Error error = errorOf([] { FormulaMap("sqrt(x)", 2.0, 2.0); });
  EXPECT_EQ(error.where(), "ground.formula");
  EXPECT_NE(error.problem().find("at x = -1 m, y = -1 m"), std::string::npos) << error.problem();
  EXPECT_EQ(errorOf([] { FormulaMap("1/x", 2.0, 2.0); }).where(), "ground.formula");
  EXPECT_EQ(errorOf([] { FormulaMap("x", 0.0, 2.0); }).where(), "ground.size");
  EXPECT_EQ(errorOf([] { FormulaMap("x", 1.0, -2.0); }).where(), "ground.size");
}

}  // namespace
}  // namespace footfall

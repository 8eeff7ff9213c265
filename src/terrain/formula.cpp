#include "footfall/terrain/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "footfall/base/error.hpp"
#include "footfall/base/internal/evaluate_expression.hpp"
#include "terrain/checks.hpp"
#include "terrain/dual.hpp"

namespace footfall {
namespace {

constexpr int kTiles = 64;  ///< the rectangle is cut into so many along each side to be checked and bounded

template <class T>
Dual<T> evaluate(const Expression& expression, const T& x, const T& y) {
  return evaluateExpression<Dual<T>>(
      expression,
      [](double number) {
        return Dual<T>{T(number), T(0.0), T(0.0)};
      },
      [&](int variable) {
        return variable == 0 ? Dual<T>{x, T(1.0), T(0.0)} : Dual<T>{y, T(0.0), T(1.0)};
      });
}

/// The second variable may be missing.
std::vector<std::string> variablesOf(const Formula::Names& names) {
  return names.y.empty() ? std::vector{names.x} : std::vector{names.x, names.y};
}

double largest(const Interval& a) { return std::max(std::abs(a.low), std::abs(a.high)); }

double tileBorder(double half, int k) { return half * (2.0 * k / kTiles - 1.0); }

void refuseBadHeights(const Formula& formula, const std::string& text, double half_x, double half_y) {
  for (int i = 0; i <= kTiles; ++i)
    for (int k = 0; k <= kTiles; ++k) {
      const double x = tileBorder(half_x, i), y = tileBorder(half_y, k);
      const Height height = formula.at(x, y);
      if (!std::isfinite(height.z) || !std::isfinite(height.slope_x) || !std::isfinite(height.slope_y))
        throw Error("ground.formula",
                    fmt::format("'{}' is {} with slopes {} and {} at x = {} m, y = {} m, expected finite numbers", text,
                                height.z, height.slope_x, height.slope_y, x, y),
                    "change the formula, or make the size smaller");
    }
}

HeightLimits limitsOfTiles(const Formula& formula, double half_x, double half_y) {
  HeightLimits all{-std::numeric_limits<double>::infinity(), 0.0, 0.0};
  for (int i = 0; i < kTiles; ++i)
    for (int k = 0; k < kTiles; ++k) {
      const HeightLimits tile = formula.limits(tileBorder(half_x, i), tileBorder(half_x, i + 1), tileBorder(half_y, k),
                                               tileBorder(half_y, k + 1));
      all = {std::max(all.highest, tile.highest), std::max(all.steepest, tile.steepest),
             std::max(all.sharpest, tile.sharpest)};
    }
  return all;
}

}  // namespace

Formula::Formula(const std::string& text, const Names& names) : expression_(text, variablesOf(names), names.field) {}

Height Formula::at(double x, double y) const {
  const Dual<double> height = evaluate(expression_, x, y);
  return {height.v, height.dx, height.dy};
}

HeightLimits Formula::limits(double x_low, double x_high, double y_low, double y_high) const {
  constexpr double kRounding = 1e-12;  // interval arithmetic rounds to nearest, some hundred operations at most
  const Dual<Interval> x(Interval(x_low, x_high), 1.0, 0.0), y(Interval(y_low, y_high), 0.0, 1.0);
  const Dual<Dual<Interval>> height = evaluate(expression_, x, y);
  const Interval &z = height.v.v, &slope_x = height.v.dx, &slope_y = height.v.dy;
  const double steepest = std::hypot(largest(slope_x), largest(slope_y));
  // No row of the matrix of second derivatives is larger in sum.
  const double sharpest = std::max(largest(height.dx.dx), largest(height.dy.dy)) + largest(height.dx.dy);
  return {z.high + kRounding * (1.0 + largest(z)), steepest * (1.0 + kRounding) + kRounding,
          sharpest * (1.0 + kRounding) + kRounding};
}

FormulaMap::FormulaMap(const std::string& formula, double size_x, double size_y)
    : formula_(formula), half_x_(0.5 * size_x), half_y_(0.5 * size_y) {
  requirePositive("ground.size", "size of the height field in m", size_x);
  requirePositive("ground.size", "size of the height field in m", size_y);
  refuseBadHeights(formula_, formula, half_x_, half_y_);
  limits_ = limitsOfTiles(formula_, half_x_, half_y_);
}

Height FormulaMap::at(double x, double y) const {
  const double inside_x = std::clamp(x, -half_x_, half_x_), inside_y = std::clamp(y, -half_y_, half_y_);
  Height height = formula_.at(inside_x, inside_y);
  if (inside_x != x) height.slope_x = 0.0;
  if (inside_y != y) height.slope_y = 0.0;
  return height;
}

}  // namespace footfall

#include "footfall/terrain/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "footfall/base/error.hpp"
#include "terrain/checks.hpp"
#include "terrain/dual.hpp"
#include "terrain/formula_parser.hpp"

namespace footfall {
namespace {

using Operation = Formula::Operation;

constexpr int kTiles = 64;  ///< the rectangle is cut into so many along each side to be checked and bounded

/// What an operation makes of its last operand b, and of the one before it, a.
template <class T>
Dual<T> apply(Operation operation, const Dual<T>& a, const Dual<T>& b) {
  switch (operation) {
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / b;
    case Operation::power:
      return pow(a, b);
    case Operation::min:
      return min(a, b);
    case Operation::max:
      return max(a, b);
    case Operation::negate:
      return -b;
    case Operation::sin:
      return sin(b);
    case Operation::cos:
      return cos(b);
    case Operation::tan:
      return tan(b);
    case Operation::exp:
      return exp(b);
    case Operation::log:
      return log(b);
    case Operation::sqrt:
      return sqrt(b);
    case Operation::abs:
      return abs(b);
    default:
      return b;
  }
}

template <class T>
Dual<T> evaluate(const std::vector<Formula::Instruction>& program, const T& x, const T& y) {
  std::array<Dual<T>, kFormulaStack + 1> stack;  // one unused below, so that every operation may look at two
  int top = 0;
  for (const Formula::Instruction& instruction : program) {
    switch (instruction.operation) {
      case Operation::number:
        stack[++top] = {T(instruction.number), T(0.0), T(0.0)};
        break;
      case Operation::x:
        stack[++top] = {x, T(1.0), T(0.0)};
        break;
      case Operation::y:
        stack[++top] = {y, T(0.0), T(1.0)};
        break;
      default: {
        const Dual<T> result = apply(instruction.operation, stack[top - 1], stack[top]);
        top -= operandsOf(instruction.operation) - 1;
        stack[top] = result;
      }
    }
  }
  return stack[top];
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
  HeightLimits all{-std::numeric_limits<double>::infinity(), 0.0};
  for (int i = 0; i < kTiles; ++i)
    for (int k = 0; k < kTiles; ++k) {
      const HeightLimits tile = formula.limits(tileBorder(half_x, i), tileBorder(half_x, i + 1), tileBorder(half_y, k),
                                               tileBorder(half_y, k + 1));
      all = {std::max(all.highest, tile.highest), std::max(all.steepest, tile.steepest)};
    }
  return all;
}

}  // namespace

Formula::Formula(const std::string& text, const Names& names) : program_(parseFormula(text, names)) {}

Height Formula::at(double x, double y) const {
  const Dual<double> height = evaluate(program_, x, y);
  return {height.v, height.dx, height.dy};
}

HeightLimits Formula::limits(double x_low, double x_high, double y_low, double y_high) const {
  constexpr double kRounding = 1e-12;  // interval arithmetic rounds to nearest, some hundred operations at most
  const Dual<Interval> height = evaluate(program_, Interval(x_low, x_high), Interval(y_low, y_high));
  const double steepest = std::hypot(largest(height.dx), largest(height.dy));
  return {height.v.high + kRounding * (1.0 + largest(height.v)), steepest * (1.0 + kRounding) + kRounding};
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

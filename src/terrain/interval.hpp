#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace footfall {

/// All numbers from low to high: what a function gives for all numbers of its arguments lies in its result.
/// Rounding is not directed outwards; who needs that adds a margin.
struct Interval {
  double low = 0.0, high = 0.0;

  Interval() = default;
  Interval(double value) : low(value), high(value) {}
  Interval(double from, double to) : low(from), high(to) {}

  static Interval all() { return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()}; }
  /// Not-a-number came from ∞ − ∞: anything is possible.
  static Interval of(double from, double to) { return std::isnan(from) || std::isnan(to) ? all() : Interval(from, to); }
  bool holds(double value) const { return low <= value && value <= high; }
};

inline Interval operator+(Interval a, Interval b) { return Interval::of(a.low + b.low, a.high + b.high); }
inline Interval operator-(Interval a) { return {-a.high, -a.low}; }
inline Interval operator-(Interval a, Interval b) { return a + (-b); }

/// Zero times a number without limit is zero: ∞ only says that numbers may be as large as one likes.
inline double boundedProduct(double a, double b) { return a == 0.0 || b == 0.0 ? 0.0 : a * b; }

inline Interval operator*(Interval a, Interval b) {
  const auto [low, high] = std::minmax({boundedProduct(a.low, b.low), boundedProduct(a.low, b.high),
                                        boundedProduct(a.high, b.low), boundedProduct(a.high, b.high)});
  return {low, high};
}

inline Interval operator/(Interval a, Interval b) {
  return b.holds(0.0) ? Interval::all() : a * Interval(1.0 / b.high, 1.0 / b.low);
}

inline Interval hull(Interval a, Interval b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }
inline Interval exp(Interval a) { return {std::exp(a.low), std::exp(a.high)}; }
inline Interval log(Interval a) {
  return a.high < 0.0 ? Interval::all() : Interval(std::log(std::max(a.low, 0.0)), std::log(a.high));
}
inline Interval sqrt(Interval a) {
  return a.high < 0.0 ? Interval::all() : Interval(std::sqrt(std::max(a.low, 0.0)), std::sqrt(a.high));
}
inline Interval abs(Interval a) {
  const Interval ends(std::min(std::abs(a.low), std::abs(a.high)), std::max(std::abs(a.low), std::abs(a.high)));
  return a.holds(0.0) ? Interval(0.0, ends.high) : ends;
}
inline Interval min(Interval a, Interval b) { return {std::min(a.low, b.low), std::min(a.high, b.high)}; }
inline Interval max(Interval a, Interval b) { return {std::max(a.low, b.low), std::max(a.high, b.high)}; }

/// Whether one of offset + k · period lies in the interval.
inline bool holdsAnyOf(Interval a, double offset, double period) {
  return std::floor((a.high - offset) / period) >= std::ceil((a.low - offset) / period);
}

inline Interval cos(Interval a) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  if (!std::isfinite(a.low) || !std::isfinite(a.high)) return {-1.0, 1.0};
  Interval ends(std::min(std::cos(a.low), std::cos(a.high)), std::max(std::cos(a.low), std::cos(a.high)));
  if (holdsAnyOf(a, 0.0, kTurn)) ends.high = 1.0;
  if (holdsAnyOf(a, 0.5 * kTurn, kTurn)) ends.low = -1.0;
  return ends;
}
inline Interval sin(Interval a) { return cos(a - Interval(0.5 * std::numbers::pi)); }
inline Interval tan(Interval a) {
  if (!std::isfinite(a.low) || !std::isfinite(a.high)) return Interval::all();
  const bool pole = holdsAnyOf(a, 0.5 * std::numbers::pi, std::numbers::pi);
  return pole ? Interval::all() : Interval(std::tan(a.low), std::tan(a.high));
}

/// For a constant exponent.
inline Interval pow(Interval a, double exponent) {
  const bool whole = exponent == std::floor(exponent), even = whole && std::fmod(exponent, 2.0) == 0.0;
  if (exponent < 0.0) return a.holds(0.0) ? Interval::all() : Interval(1.0) / pow(a, -exponent);
  if (even) a = abs(a);
  if (!whole) a.low = std::max(a.low, 0.0);
  return Interval::of(std::pow(a.low, exponent), std::pow(a.high, exponent));
}

}  // namespace footfall

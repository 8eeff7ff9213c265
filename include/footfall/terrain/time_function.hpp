#pragma once

#include <array>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "footfall/terrain/formula.hpp"
#include "footfall/terrain/terrain.hpp"

namespace footfall {

/// amplitude · sin(2π · frequency · t + phase)
struct Sine {
  double amplitude = 0.0;  ///< unit of the value
  double frequency = 0.0;  ///< [Hz]
  double phase = 0.0;      ///< [rad]
};

/// A row of a table.
struct TimePoint {
  double time;   ///< [s]
  double value;  ///< unit of the value, or of its rate
};

/// A number (a distance, an angle) as a function of time, with the rate that is exactly its derivative.
class TimeFunction {
 public:
  /// value + rate · t
  static TimeFunction linear(double value, double rate);
  static TimeFunction sine(const Sine& sine);
  /// Straight lines between the points: the rate jumps at each. Before the first and after the last point the value
  /// stays. Two points are a ramp.
  static TimeFunction table(std::span<const TimePoint> points);
  /// A cubic spline through the points, with a rate of zero at both ends: value and rate are smooth everywhere, the
  /// acceleration from the first point to the last. Two points are a soft ramp. May overshoot between uneven points.
  static TimeFunction smoothTable(std::span<const TimePoint> points);
  /// The integral of rates given as straight lines between the points, from `value` at the first: piecewise constant
  /// acceleration. Before the first and after the last point the rate stays.
  static TimeFunction fromRates(std::span<const TimePoint> rates, double value = 0.0);

  /// A formula in t, for example 0.3*sin(2*pi*t)*exp(-t).
  static TimeFunction formula(const std::string& text);

  double value(double time) const;
  /// The derivative of value(); where the rate jumps, the one from there on.
  double rate(double time) const;
  /// value(end of the span) − value(start), without the rounding of that difference where the law is not a formula.
  double change(TimeSpan span) const;
  /// change over the span / its duration; the rate for a moment.
  double meanRate(TimeSpan span) const;

 private:
  /// Cubics c0 + c1 s + c2 s² + c3 s³ of s = time − origin.
  struct Piece {
    double origin;  ///< [s]
    std::array<double, 4> c;
  };
  /// Piece i lasts from knots[i − 1] to knots[i]; the first and the last have no other end.
  struct Piecewise {
    std::vector<double> knots;  ///< [s]
    std::vector<Piece> pieces;  ///< one more than knots

    const Piece& at(double time) const;
  };

  static TimeFunction hermite(std::span<const TimePoint> points, std::span<const double> rates);
  using Law = std::variant<Piecewise, Sine, Formula>;
  explicit TimeFunction(Law law) : law_(std::move(law)) {}

  Law law_;
};

}  // namespace footfall

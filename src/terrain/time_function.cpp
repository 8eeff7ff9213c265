#include "footfall/terrain/time_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "footfall/base/error.hpp"
#include "terrain/checks.hpp"

namespace footfall {
namespace {

constexpr const char* kField = "motion.table";

double angularFrequency(const Sine& sine) { return 2.0 * std::numbers::pi * sine.frequency; }

void validate(std::span<const TimePoint> points) {
  if (points.empty()) throw Error(kField, "the table is empty, expected rows of time and value");
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!std::isfinite(points[i].time) || !std::isfinite(points[i].value))
      throw Error(kField,
                  fmt::format("row {} is [{}, {}], expected finite numbers", i + 1, points[i].time, points[i].value));
    if (i > 0 && !(points[i].time > points[i - 1].time))
      throw Error(kField, fmt::format("the time of row {} is {} s, expected more than the {} s of the row before",
                                      i + 1, points[i].time, points[i - 1].time));
  }
}

/// Rates at the points of the cubic spline with two continuous derivatives and no rate at its ends: a tridiagonal
/// system, solved by elimination down and substitution up.
std::vector<double> splineRates(std::span<const TimePoint> points) {
  const std::size_t n = points.size();
  std::vector<double> rates(n, 0.0), upper(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double before = points[i].time - points[i - 1].time, after = points[i + 1].time - points[i].time;
    const double slope_before = (points[i].value - points[i - 1].value) / before;
    const double slope_after = (points[i + 1].value - points[i].value) / after;
    const double pivot = 2.0 * (before + after) - after * upper[i - 1];
    upper[i] = before / pivot;
    rates[i] = (3.0 * (after * slope_before + before * slope_after) - after * rates[i - 1]) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 1;) rates[i] -= upper[i] * rates[i + 1];
  return rates;
}

}  // namespace

TimeFunction TimeFunction::linear(double value, double rate) {
  requireFinite("motion.value", "value", value);
  requireFinite("motion.rate", "rate", rate);
  return TimeFunction(Piecewise{{}, {{0.0, {value, rate, 0.0, 0.0}}}});
}

TimeFunction TimeFunction::sine(const Sine& sine) {
  requireFinite("motion.amplitude", "amplitude", sine.amplitude);
  requireFinite("motion.phase", "phase", sine.phase);
  if (!(sine.frequency >= 0.0) || !std::isfinite(sine.frequency))
    throw Error("motion.frequency", fmt::format("the frequency is {} Hz, expected 0 or more", sine.frequency));
  return TimeFunction(sine);
}

TimeFunction TimeFunction::table(std::span<const TimePoint> points) {
  validate(points);
  Piecewise law;
  law.pieces.push_back({points.front().time, {points.front().value, 0.0, 0.0, 0.0}});
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool last = i + 1 == points.size();
    const double slope = last ? 0.0 : (points[i + 1].value - points[i].value) / (points[i + 1].time - points[i].time);
    law.knots.push_back(points[i].time);
    law.pieces.push_back({points[i].time, {points[i].value, slope, 0.0, 0.0}});
  }
  return TimeFunction(std::move(law));
}

TimeFunction TimeFunction::smoothTable(std::span<const TimePoint> points) {
  validate(points);
  return hermite(points, splineRates(points));
}

TimeFunction TimeFunction::fromRates(std::span<const TimePoint> rates, double value) {
  validate(rates);
  requireFinite("motion.value", "value", value);
  Piecewise law;
  law.pieces.push_back({rates.front().time, {value, rates.front().value, 0.0, 0.0}});
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const bool last = i + 1 == rates.size();
    const double length = last ? 0.0 : rates[i + 1].time - rates[i].time;
    const double acceleration = last ? 0.0 : (rates[i + 1].value - rates[i].value) / length;
    law.knots.push_back(rates[i].time);
    law.pieces.push_back({rates[i].time, {value, rates[i].value, 0.5 * acceleration, 0.0}});
    if (!last) value += 0.5 * length * (rates[i].value + rates[i + 1].value);
  }
  return TimeFunction(std::move(law));
}

TimeFunction TimeFunction::formula(const std::string& text) {
  TimeFunction function(Formula(text, {"t", "", "motion.formula"}));
  for (const double start : {0.0, 1e-9})  // at once and right after: sqrt(-t) is a number at zero only
    if (const double value = function.value(start); !std::isfinite(value))
      throw Error("motion.formula",
                  fmt::format("'{}' is {} at t = {} s, expected a finite number", text, value, start));
  return function;
}

/// The cubics that have the values and the rates at the points.
TimeFunction TimeFunction::hermite(std::span<const TimePoint> points, std::span<const double> rates) {
  Piecewise law;
  law.pieces.push_back({points.front().time, {points.front().value, 0.0, 0.0, 0.0}});
  for (std::size_t i = 0; i < points.size(); ++i) {
    law.knots.push_back(points[i].time);
    Piece piece{points[i].time, {points[i].value, rates[i], 0.0, 0.0}};
    if (i + 1 < points.size()) {
      const double length = points[i + 1].time - points[i].time;
      const double slope = (points[i + 1].value - points[i].value) / length;
      piece.c[2] = (3.0 * slope - 2.0 * rates[i] - rates[i + 1]) / length;
      piece.c[3] = (rates[i] + rates[i + 1] - 2.0 * slope) / (length * length);
    }
    law.pieces.push_back(piece);
  }
  return TimeFunction(std::move(law));
}

const TimeFunction::Piece& TimeFunction::Piecewise::at(double time) const {
  return pieces[std::upper_bound(knots.begin(), knots.end(), time) - knots.begin()];
}

double TimeFunction::value(double time) const {
  if (const Sine* sine = std::get_if<Sine>(&law_))
    return sine->amplitude * std::sin(angularFrequency(*sine) * time + sine->phase);
  if (const Formula* formula = std::get_if<Formula>(&law_)) return formula->at(time, 0.0).z;
  const Piece& piece = std::get<Piecewise>(law_).at(time);
  const double s = time - piece.origin;
  return piece.c[0] + s * (piece.c[1] + s * (piece.c[2] + s * piece.c[3]));
}

double TimeFunction::rate(double time) const {
  if (const Sine* sine = std::get_if<Sine>(&law_)) {
    const double omega = angularFrequency(*sine);
    return omega * sine->amplitude * std::cos(omega * time + sine->phase);
  }
  if (const Formula* formula = std::get_if<Formula>(&law_)) return formula->at(time, 0.0).slope_x;
  const Piece& piece = std::get<Piecewise>(law_).at(time);
  const double s = time - piece.origin;
  return piece.c[1] + s * (2.0 * piece.c[2] + s * 3.0 * piece.c[3]);
}

double TimeFunction::change(TimeSpan span) const {
  const double dt = span.duration;
  if (const Sine* sine = std::get_if<Sine>(&law_)) {
    const double omega = angularFrequency(*sine);
    return 2.0 * sine->amplitude * std::cos(omega * (span.start + 0.5 * dt) + sine->phase) * std::sin(0.5 * omega * dt);
  }
  if (std::holds_alternative<Formula>(law_)) return value(span.start + dt) - value(span.start);
  const Piecewise& law = std::get<Piecewise>(law_);
  const Piece& piece = law.at(span.start);
  if (&law.at(span.start + dt) != &piece) return value(span.start + dt) - value(span.start);
  const double s = span.start - piece.origin, e = s + dt;
  return dt * (piece.c[1] + (s + e) * piece.c[2] + (s * s + s * e + e * e) * piece.c[3]);
}

double TimeFunction::meanRate(TimeSpan span) const {
  return span.duration > 0.0 ? change(span) / span.duration : rate(span.start);
}

}  // namespace footfall

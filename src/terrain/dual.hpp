#pragma once

#include <cmath>

#include "terrain/interval.hpp"

namespace footfall {

/// A value with its derivatives along x and y: arithmetic that differentiates. T is double, Interval, or Dual<Interval>
/// for second derivatives.
template <class T>
struct Dual {
  T v{}, dx{}, dy{};

  Dual() = default;
  Dual(double number) : v(number) {}
  Dual(const T& value, const T& along_x, const T& along_y) : v(value), dx(along_x), dy(along_y) {}
};

/// f(a), with the derivative of f at a.
template <class T>
Dual<T> chain(const Dual<T>& a, const T& value, const T& derivative) {
  return {value, derivative * a.dx, derivative * a.dy};
}

template <class T>
Dual<T> operator+(const Dual<T>& a, const Dual<T>& b) {
  return {a.v + b.v, a.dx + b.dx, a.dy + b.dy};
}
template <class T>
Dual<T> operator-(const Dual<T>& a) {
  return {-a.v, -a.dx, -a.dy};
}
template <class T>
Dual<T> operator-(const Dual<T>& a, const Dual<T>& b) {
  return a + (-b);
}
template <class T>
Dual<T> operator*(const Dual<T>& a, const Dual<T>& b) {
  return {a.v * b.v, a.dx * b.v + a.v * b.dx, a.dy * b.v + a.v * b.dy};
}
template <class T>
Dual<T> operator/(const Dual<T>& a, const Dual<T>& b) {
  const T quotient = a.v / b.v;
  return {quotient, (a.dx - quotient * b.dx) / b.v, (a.dy - quotient * b.dy) / b.v};
}

template <class T>
Dual<T> sin(const Dual<T>& a) {
  using std::cos, std::sin;
  return chain(a, sin(a.v), cos(a.v));
}
template <class T>
Dual<T> cos(const Dual<T>& a) {
  using std::cos, std::sin;
  return chain<T>(a, cos(a.v), -sin(a.v));
}
template <class T>
Dual<T> tan(const Dual<T>& a) {
  using std::tan;
  const T value = tan(a.v);
  return chain<T>(a, value, T(1.0) + value * value);
}
template <class T>
Dual<T> exp(const Dual<T>& a) {
  using std::exp;
  const T value = exp(a.v);
  return chain(a, value, value);
}
template <class T>
Dual<T> log(const Dual<T>& a) {
  using std::log;
  return chain<T>(a, log(a.v), T(1.0) / a.v);
}

inline bool isZero(double value) { return value == 0.0; }
inline bool isZero(const Interval& value) { return value.low == 0.0 && value.high == 0.0; }
inline bool isZero(const Dual<Interval>& value) { return isZero(value.v) && isZero(value.dx) && isZero(value.dy); }

template <class T>
Dual<T> sqrt(const Dual<T>& a) {
  using std::sqrt;
  const T root = sqrt(a.v);
  return chain<T>(a, root, isZero(root) ? T(0.0) : T(0.5) / root);
}

/// Which side of zero counts for the slope of abs, min and max.
inline double signOf(double value) { return value > 0.0 ? 1.0 : (value < 0.0 ? -1.0 : 0.0); }
inline Interval signOf(const Interval& value) { return {signOf(value.low), signOf(value.high)}; }
/// Where it jumps its derivative has no limit.
inline Dual<Interval> signOf(const Dual<Interval>& value) {
  const Interval change = value.v.holds(0.0) ? Interval::all() : Interval(0.0);
  return {signOf(value.v), change, change};
}

template <class T>
Dual<T> abs(const Dual<T>& a) {
  using std::abs;
  return chain<T>(a, abs(a.v), signOf(a.v));
}

inline Dual<double> min(const Dual<double>& a, const Dual<double>& b) { return b.v < a.v ? b : a; }
inline Dual<double> max(const Dual<double>& a, const Dual<double>& b) { return b.v > a.v ? b : a; }

/// `value`, with the slopes of `first` where it is the one, of both where either may be.
inline Dual<Interval> choose(const Interval& value, bool first, bool second, const Dual<Interval>& a,
                             const Dual<Interval>& b) {
  if (first) return {value, a.dx, a.dy};
  if (second) return {value, b.dx, b.dy};
  return {value, hull(a.dx, b.dx), hull(a.dy, b.dy)};
}
inline Dual<Interval> min(const Dual<Interval>& a, const Dual<Interval>& b) {
  return choose(min(a.v, b.v), a.v.high < b.v.low, b.v.high < a.v.low, a, b);
}
inline Dual<Interval> max(const Dual<Interval>& a, const Dual<Interval>& b) {
  return choose(max(a.v, b.v), a.v.low > b.v.high, b.v.low > a.v.high, a, b);
}

/// Where either may be the one their slopes jump.
inline Dual<Dual<Interval>> choose(const Dual<Interval>& value, bool first, bool second, const Dual<Dual<Interval>>& a,
                                   const Dual<Dual<Interval>>& b) {
  if (first) return a;
  if (second) return b;
  const Dual<Interval> any(Interval::all(), Interval::all(), Interval::all());
  return {value, any, any};
}
inline Dual<Dual<Interval>> min(const Dual<Dual<Interval>>& a, const Dual<Dual<Interval>>& b) {
  return choose(min(a.v, b.v), a.v.v.high < b.v.v.low, b.v.v.high < a.v.v.low, a, b);
}
inline Dual<Dual<Interval>> max(const Dual<Dual<Interval>>& a, const Dual<Dual<Interval>>& b) {
  return choose(max(a.v, b.v), a.v.v.low > b.v.v.high, b.v.v.low > a.v.v.high, a, b);
}

inline bool isConstant(double) { return true; }
inline bool isConstant(const Interval& value) { return value.low == value.high; }
inline bool isConstant(const Dual<Interval>& value) {
  return isConstant(value.v) && isZero(value.dx) && isZero(value.dy);
}
inline double numberOf(double value) { return value; }
inline double numberOf(const Interval& value) { return value.low; }
inline double numberOf(const Dual<Interval>& value) { return value.v.low; }

template <class T>
Dual<T> pow(const Dual<T>& a, double exponent) {
  using std::pow;
  if (exponent == 0.0) return {T(1.0), T(0.0), T(0.0)};
  return chain<T>(a, pow(a.v, exponent), T(exponent) * pow(a.v, exponent - 1.0));
}

template <class T>
Dual<T> pow(const Dual<T>& a, const Dual<T>& b) {
  // A constant exponent takes any base; otherwise a^b = exp(b log a).
  if (!isConstant(b.v) || !isZero(b.dx) || !isZero(b.dy)) return exp(b * log(a));
  return pow(a, numberOf(b.v));
}

}  // namespace footfall

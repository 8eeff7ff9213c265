#pragma once

#include "solver/native/friction_laws.hpp"

namespace footfall::FOOTFALL_ISA {

/// Friction below this is treated as this inside the interior-point method: a cone needs an inside. The Newton steps
/// that finish the solve use the true coefficient.
constexpr double kSmallestMu = 1e-4;

/// One contact inside the interior-point method, for the true cone. In scaled units, x = p/S and
/// u = S v + (De Saxcé term) both lie in the second-order cone, and x ⟂ u in the end.
class ConePair {
 public:
  static constexpr int kDegree = 1;

  /// Size of the scaled velocity that an impulse has to remove.
  double begin(double g, double mu, const Vector3<double>& b) {
    scale_n_ = 1.0 / squareRoot(g);
    scale_t_ = larger(mu, kSmallestMu) * scale_n_;
    return b.n < 0.0 ? larger(-b.n * scale_n_, scale_t_ * larger(magnitude(b.x), magnitude(b.y))) : 0.0;
  }

  /// Starts on the axis of the cone; contacts that recede start with small impulses, on the central path.
  void start(double size, const Vector3<double>& b) {
    const double sliding = scale_t_ * squareRoot(b.x * b.x + b.y * b.y);
    u_ = {0.0, 0.0, larger(size, magnitude(b.n) * scale_n_ + sliding)};
    x_ = {0.0, 0.0, size * size / u_.n};
  }

  Vector3<double> impulse() const { return {x_.x * scale_t_, x_.y * scale_t_, x_.n * scale_n_}; }
  double complementarity() const { return dot(x_, u_); }
  double complementarityAfter(double step) const { return dot(moved(x_, step, dx_), moved(u_, step, du_)); }

  /// Linearises at velocity v. The De Saxcé term |u_t| is smoothed by `smoothing`, which vanishes in the end.
  void linearise(const Vector3<double>& v, double smoothing) {
    const double length = squareRoot(u_.x * u_.x + u_.y * u_.y + smoothing);
    slope_x_ = u_.x / length;
    slope_y_ = u_.y / length;
    violation_ = {u_.x - v.x * scale_t_, u_.y - v.y * scale_t_,
                  u_.n - v.n * scale_n_ - (length - squareRoot(smoothing))};
    findScaling();
    lambda_ = scaled(x_);
  }

  /// The 3×3 block that this contact adds to G, in the order x, y, n.
  void addBlock(double (&B)[3][3]) const {
    const double e = eta_ * eta_;
    const double w[3] = {w_.x, w_.y, w_.n};
    double Q[3][3];
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c) Q[a][c] = e * (2.0 * w[a] * w[c] + (a != c ? 0.0 : (a == 2 ? -1.0 : 1.0)));
    for (int c = 0; c < 3; ++c) Q[2][c] -= slope_x_ * Q[0][c] + slope_y_ * Q[1][c];
    const double inverse[3] = {1.0 / scale_t_, 1.0 / scale_t_, 1.0 / scale_n_};
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c) B[a][c] = Q[a][c] * inverse[a] * inverse[c];
  }

  /// Aims at complementarity zero.
  void aimPredictor() { q_ = {-lambda_.x, -lambda_.y, -lambda_.n}; }

  /// Aims at the given complementarity, with the second-order term of the direction found before.
  void aimCorrector(double complementarity) {
    const Vector3<double> a = scaled(dx_), c = unscaled(du_), l = lambda_;
    const double d_n = complementarity - dot(l, l) - dot(a, c);
    const double d_x = -2.0 * l.n * l.x - (a.n * c.x + c.n * a.x);
    const double d_y = -2.0 * l.n * l.y - (a.n * c.y + c.n * a.y);
    const double determinant = larger(hyperbolic(l), 1e-300);
    const double along = l.x * d_x + l.y * d_y;
    const double factor = (along / l.n - d_n) / determinant;
    q_ = {factor * l.x + d_x / l.n, factor * l.y + d_y / l.n, (l.n * d_n - along) / determinant};
  }

  Vector3<double> rightSide() const {
    Vector3<double> y = scaled(q_);
    y.n -= slope_x_ * y.x + slope_y_ * y.y;
    return {(y.x + violation_.x) / scale_t_, (y.y + violation_.y) / scale_t_, (y.n + violation_.n) / scale_n_};
  }

  void takeDirection(const Vector3<double>& dp, const Vector3<double>& dv) {
    dx_ = {dp.x / scale_t_, dp.y / scale_t_, dp.n / scale_n_};
    du_.x = dv.x * scale_t_ - violation_.x;
    du_.y = dv.y * scale_t_ - violation_.y;
    du_.n = dv.n * scale_n_ - violation_.n + slope_x_ * du_.x + slope_y_ * du_.y;
  }

  /// How far the direction can be followed inside both cones.
  double longestStep() const { return smaller(stepInsideCone(x_, dx_), stepInsideCone(u_, du_)); }

  void advance(double step) {
    x_ = moved(x_, step, dx_);
    u_ = moved(u_, step, du_);
  }

 private:
  using V = Vector3<double>;
  static double dot(const V& a, const V& c) { return a.x * c.x + a.y * c.y + a.n * c.n; }
  static V moved(const V& a, double step, const V& d) { return {a.x + step * d.x, a.y + step * d.y, a.n + step * d.n}; }
  /// Nesterov–Todd: the scaling that makes x and u equal (= lambda).
  void findScaling() {
    const double u_size = squareRoot(larger(hyperbolic(u_), 1e-300));
    const double x_size = squareRoot(larger(hyperbolic(x_), 1e-300));
    const V s = {u_.x / u_size, u_.y / u_size, u_.n / u_size}, z = {x_.x / x_size, x_.y / x_size, x_.n / x_size};
    const double half_inverse = 0.5 / squareRoot(0.5 * (1.0 + dot(s, z)));
    w_ = {(s.x - z.x) * half_inverse, (s.y - z.y) * half_inverse, (s.n + z.n) * half_inverse};
    eta_ = squareRoot(u_size / x_size);
  }
  V scaled(const V& a) const {
    const double d = w_.x * a.x + w_.y * a.y, c = a.n + d / (1.0 + w_.n);
    return {eta_ * (a.x + c * w_.x), eta_ * (a.y + c * w_.y), eta_ * (w_.n * a.n + d)};
  }
  V unscaled(const V& a) const {
    const double d = -(w_.x * a.x + w_.y * a.y), c = a.n + d / (1.0 + w_.n);
    return {(a.x - c * w_.x) / eta_, (a.y - c * w_.y) / eta_, (w_.n * a.n + d) / eta_};
  }

  double scale_t_, scale_n_;  ///< S
  double slope_x_, slope_y_;  ///< of the De Saxcé term
  double eta_;
  V w_;  ///< Nesterov–Todd point
  V x_, u_, dx_, du_, violation_, lambda_, q_;
};

}  // namespace footfall::FOOTFALL_ISA

#pragma once

#include "solver/native/dense_lu.hpp"
#include "solver/native/problem.hpp"

// One contact of the true cone solved by itself: given the velocity w that it would have without its own impulse, find
// that impulse.

namespace footfall::FOOTFALL_ISA {

/// Rows x, y, n of the contact's own 3×3 block of G.
struct OwnBlock {
  double xx, xy, xn, yy, yn, nn;

  template <class ProblemT>
  static OwnBlock of(const ProblemT& problem, int i) {
    return {problem.block(i, 0, 0), problem.block(i, 0, 1), problem.block(i, 0, 2),
            problem.block(i, 1, 1), problem.block(i, 1, 2), problem.block(i, 2, 2)};
  }
};

/// Exact on the true cone. The normal impulse is eliminated: S = G_tt − G_tn G_nt / G_nn.
class ConeContact {
 public:
  ConeContact(const OwnBlock& G, double g) {
    inverse_nn_ = 1.0 / G.nn;
    kx_ = G.xn * inverse_nn_;
    ky_ = G.yn * inverse_nn_;
    const double floor = SweepRules::kTangentThatMoves * g;  // a tangent that cannot move slides
    Sxx_ = G.xx - G.xn * kx_ + floor;
    Sxy_ = G.xy - G.xn * ky_;
    Syy_ = G.yy - G.yn * ky_ + floor;
    const double inverse = 1.0 / (Sxx_ * Syy_ - Sxy_ * Sxy_);
    Rxx_ = Syy_ * inverse;
    Rxy_ = -Sxy_ * inverse;
    Ryy_ = Sxx_ * inverse;
    slip_ = 0.0;
  }

  /// Inline: a call is a twelfth of the instructions of a quadruped's problem.
  [[gnu::always_inline]] Vector3<double> solve(double mu, const Vector3<double>& w) {
    if (w.n >= 0.0) return {0.0, 0.0, 0.0};
    const double cx = w.x - kx_ * w.n, cy = w.y - ky_ * w.n;  // sliding velocity if only p_n acted
    const double x = -(Rxx_ * cx + Rxy_ * cy);
    const double y = -(Rxy_ * cx + Ryy_ * cy);
    const double n = -(w.n * inverse_nn_ + kx_ * x + ky_ * y);
    const double radius = mu * n;
    if (n > 0.0 && x * x + y * y <= radius * radius) return {x, y, n};
    if (mu <= 0.0) return {0.0, 0.0, -w.n * inverse_nn_};
    return slide(mu, w.n, cx, cy);
  }

 private:
  /// The contact slides: p_t = −(S + slip)⁻¹ c, with the slip multiplier such that |p_t| = mu p_n. Newton's method on
  /// 1/(mu p_n) − 1/|p_t|, which is nearly linear in the multiplier, kept inside a bracket.
  [[gnu::always_inline]] Vector3<double> slide(double mu, double w_n, double cx, double cy) {
    const double scale = 0.5 * (Sxx_ + Syy_);
    double lower = 0.0, upper = infinity();
    double slip = slip_;
    if (!(slip > 0.0)) {
      const double isotropic = squareRoot(cx * cx + cy * cy) / (-mu * w_n * inverse_nn_) - scale;
      slip = larger(isotropic, 1e-3 * scale);
    }
    double x = 0.0, y = 0.0, n = 0.0, length = 0.0;
    for (int iteration = 0; iteration < SweepRules::kTrials; ++iteration) {
      const double a = Sxx_ + slip, d = Syy_ + slip;
      const double inverse = 1.0 / (a * d - Sxy_ * Sxy_);
      x = -(d * cx - Sxy_ * cy) * inverse;
      y = -(a * cy - Sxy_ * cx) * inverse;
      n = -(w_n * inverse_nn_ + kx_ * x + ky_ * y);
      length = squareRoot(x * x + y * y);
      const double excess = length - mu * n;
      (excess > 0.0 ? lower : upper) = slip;
      if (magnitude(excess) <= SweepRules::kExact * length + 1e-300) break;

      const double qx = (d * x - Sxy_ * y) * inverse, qy = (a * y - Sxy_ * x) * inverse;  // −dp_t/dslip
      const double length_rate = -(x * qx + y * qy) / length, n_rate = kx_ * qx + ky_ * qy;
      double next = -1.0;
      if (n > 0.0) {
        const double radius = mu * n;
        const double rate = length_rate / (length * length) - mu * n_rate / (radius * radius);
        if (rate < 0.0) next = slip - (1.0 / radius - 1.0 / length) / rate;
      }
      if (!(next > lower && next < upper))
        next = upper < infinity() ? 0.5 * (lower + upper) : larger(2.0 * slip, scale);
      if (magnitude(next - slip) <= SweepRules::kExact * slip) break;
      slip = next;
    }
    slip_ = slip;
    n = larger(n, 0.0);
    const double factor = length > 0.0 ? mu * n / length : 0.0;
    return {factor * x, factor * y, n};
  }

  double inverse_nn_;
  double kx_, ky_;          ///< G_tn / G_nn
  double Sxx_, Sxy_, Syy_;  ///< S
  double Rxx_, Rxy_, Ryy_;  ///< S⁻¹
  double slip_;             ///< latest slip multiplier, a first guess for the next time
};

}  // namespace footfall::FOOTFALL_ISA

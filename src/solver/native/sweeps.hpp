#pragma once

#include "solver/native/problem.hpp"

namespace footfall::FOOTFALL_ISA {

/// Block Gauss–Seidel on the true cone: one contact after the other is solved exactly while the others rest.
template <class ProblemT>
class Sweeps {
 public:
  Sweeps(const ProblemT& problem, Arena& arena) : problem_(problem) {
    blocks_ = reinterpret_cast<Block*>(arena.doubles(problem.stride() * sizeof(Block) / sizeof(double)));
  }
  static std::size_t scratchSize(int stride) { return stride * sizeof(Block) / sizeof(double); }

  void prepare() {
    for (int i = 0; i < problem_.contacts; ++i) blocks_[i] = makeBlock(i);
  }

  /// Needs v = G p + b and keeps it so.
  void sweep(double* p, double* v) {
    const int stride = problem_.stride();
    for (int i = 0; i < problem_.contacts; ++i) {
      Block& block = blocks_[i];
      if (block.inverse_nn == 0.0) continue;
      const Vector3<double> old = contactOf(p, stride, i);
      const Vector3<double> free = freeVelocity(i, old, contactOf(v, stride, i));
      if (old.n == 0.0 && free.n >= 0.0) continue;
      const Vector3<double> now = solveContact(block, problem_.mu[i], free);
      setContact(p, stride, i, now);
      problem_.addContact(i, {now.x - old.x, now.y - old.y, now.n - old.n}, v);
    }
  }

 private:
  /// One contact's own 3×3 block, the normal impulse eliminated: S = G_tt − G_tn G_nt / G_nn.
  struct Block {
    double inverse_nn;     ///< 1/G_nn, zero for an immovable contact
    double kx, ky;         ///< G_tn / G_nn
    double Sxx, Sxy, Syy;  ///< S
    double Rxx, Rxy, Ryy;  ///< S⁻¹
    double slip;           ///< latest slip multiplier, a first guess for the next sweep
  };

  Block makeBlock(int i) const {
    Block block{};
    if (!problem_.movable(i)) return block;
    const double xn = problem_.block(i, 0, 2), yn = problem_.block(i, 1, 2);
    block.inverse_nn = 1.0 / problem_.block(i, 2, 2);
    block.kx = xn * block.inverse_nn;
    block.ky = yn * block.inverse_nn;
    const double floor = 1e-12 * problem_.g[i];  // a tangent that cannot move slides
    block.Sxx = problem_.block(i, 0, 0) - xn * block.kx + floor;
    block.Sxy = problem_.block(i, 0, 1) - xn * block.ky;
    block.Syy = problem_.block(i, 1, 1) - yn * block.ky + floor;
    const double inverse = 1.0 / (block.Sxx * block.Syy - block.Sxy * block.Sxy);
    block.Rxx = block.Syy * inverse;
    block.Rxy = -block.Sxy * inverse;
    block.Ryy = block.Sxx * inverse;
    return block;
  }

  /// Velocity of contact i without its own impulse.
  Vector3<double> freeVelocity(int i, const Vector3<double>& p, const Vector3<double>& v) const {
    const int s = problem_.stride();
    const double *Gx = problem_.row(i, 0) + i, *Gy = problem_.row(i, 1) + i, *Gn = problem_.row(i, 2) + i;
    return {v.x - (Gx[0] * p.x + Gx[s] * p.y + Gx[2 * s] * p.n), v.y - (Gy[0] * p.x + Gy[s] * p.y + Gy[2 * s] * p.n),
            v.n - (Gn[0] * p.x + Gn[s] * p.y + Gn[2 * s] * p.n)};
  }

  /// Impulse of a contact that would move with velocity w without it.
  static Vector3<double> solveContact(Block& block, double mu, const Vector3<double>& w) {
    if (w.n >= 0.0) return {0.0, 0.0, 0.0};
    const double cx = w.x - block.kx * w.n, cy = w.y - block.ky * w.n;  // sliding velocity if only p_n acted
    const double x = -(block.Rxx * cx + block.Rxy * cy);
    const double y = -(block.Rxy * cx + block.Ryy * cy);
    const double n = -(w.n * block.inverse_nn + block.kx * x + block.ky * y);
    const double radius = mu * n;
    if (n > 0.0 && x * x + y * y <= radius * radius) return {x, y, n};
    if (mu <= 0.0) return {0.0, 0.0, -w.n * block.inverse_nn};
    return slide(block, mu, w.n, cx, cy);
  }

  /// The contact slides: p_t = −(S + slip)⁻¹ c, with the slip multiplier such that |p_t| = mu p_n. Newton's method on
  /// 1/(mu p_n) − 1/|p_t|, which is nearly linear in the multiplier, kept inside a bracket.
  static Vector3<double> slide(Block& block, double mu, double w_n, double cx, double cy) {
    const double scale = 0.5 * (block.Sxx + block.Syy);
    double lower = 0.0, upper = infinity();
    double slip = block.slip;
    if (!(slip > 0.0)) {
      const double isotropic = squareRoot(cx * cx + cy * cy) / (-mu * w_n * block.inverse_nn) - scale;
      slip = larger(isotropic, 1e-3 * scale);
    }
    double x = 0.0, y = 0.0, n = 0.0, length = 0.0;
    for (int iteration = 0; iteration < 50; ++iteration) {
      const double a = block.Sxx + slip, d = block.Syy + slip;
      const double inverse = 1.0 / (a * d - block.Sxy * block.Sxy);
      x = -(d * cx - block.Sxy * cy) * inverse;
      y = -(a * cy - block.Sxy * cx) * inverse;
      n = -(w_n * block.inverse_nn + block.kx * x + block.ky * y);
      length = squareRoot(x * x + y * y);
      const double excess = length - mu * n;
      (excess > 0.0 ? lower : upper) = slip;
      if (magnitude(excess) <= 1e-15 * length + 1e-300) break;

      const double qx = (d * x - block.Sxy * y) * inverse, qy = (a * y - block.Sxy * x) * inverse;  // −dp_t/dslip
      const double length_rate = -(x * qx + y * qy) / length, n_rate = block.kx * qx + block.ky * qy;
      double next = -1.0;
      if (n > 0.0) {
        const double radius = mu * n;
        const double rate = length_rate / (length * length) - mu * n_rate / (radius * radius);
        if (rate < 0.0) next = slip - (1.0 / radius - 1.0 / length) / rate;
      }
      if (!(next > lower && next < upper))
        next = upper < infinity() ? 0.5 * (lower + upper) : larger(2.0 * slip, scale);
      if (magnitude(next - slip) <= 1e-15 * slip) break;
      slip = next;
    }
    block.slip = slip;
    n = larger(n, 0.0);
    const double factor = length > 0.0 ? mu * n / length : 0.0;
    return {factor * x, factor * y, n};
  }

  const ProblemT& problem_;
  Block* blocks_;
};

}  // namespace footfall::FOOTFALL_ISA

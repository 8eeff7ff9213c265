#pragma once

#include "solver/native/local_solve.hpp"

namespace footfall::FOOTFALL_ISA {

/// Block Gauss–Seidel for the true cone: one contact after the other is solved exactly while the others rest.
template <class ProblemT>
class Sweeps {
 public:
  Sweeps(const ProblemT& problem, Arena& arena) : problem_(problem) {
    solvers_ = reinterpret_cast<ConeContact*>(arena.take<double>(problem.stride() * kSize));
    v_ = arena.take<double>(problem.rows());
  }
  static std::size_t scratchSize(int stride) {
    return DenseLu::paddedSize(stride * kSize) + DenseLu::paddedSize(3 * stride);
  }

  void prepare() {
    prepared_ = true;
    for (int i = 0; i < problem_.contacts; ++i)
      if (problem_.movable(i)) solvers_[i] = ConeContact(OwnBlock::of(problem_, i), problem_.g[i]);
  }

  void sweep(int times, double* p) {
    if (!prepared_) prepare();
    problem_.velocity(p, v_);
    for (int k = 0; k < times; ++k) sweep(p, v_);
  }

  /// Needs v = G p + b and keeps it so.
  void sweep(double* p, double* v) {
    const int stride = problem_.stride();
    for (int i = 0; i < problem_.contacts; ++i) {
      if (!problem_.movable(i)) continue;
      const Vector3<double> old = contactOf(p, stride, i);
      const Vector3<double> free = freeVelocity(i, old, contactOf(v, stride, i));
      if (old.n == 0.0 && free.n >= 0.0) continue;
      const Vector3<double> now = solvers_[i].solve(problem_.mu[i], free);
      setContact(p, stride, i, now);
      problem_.addContact(i, {now.x - old.x, now.y - old.y, now.n - old.n}, v);
    }
  }

 private:
  static constexpr int kSize = sizeof(ConeContact) / sizeof(double);

  /// Velocity of contact i without its own impulse.
  Vector3<double> freeVelocity(int i, const Vector3<double>& p, const Vector3<double>& v) const {
    const int s = problem_.stride();
    const double *Gx = problem_.row(i, 0) + i, *Gy = problem_.row(i, 1) + i, *Gn = problem_.row(i, 2) + i;
    return {v.x - (Gx[0] * p.x + Gx[s] * p.y + Gx[2 * s] * p.n), v.y - (Gy[0] * p.x + Gy[s] * p.y + Gy[2 * s] * p.n),
            v.n - (Gn[0] * p.x + Gn[s] * p.y + Gn[2 * s] * p.n)};
  }

  const ProblemT& problem_;
  ConeContact* solvers_;
  double* v_;
  bool prepared_ = false;
};

}  // namespace footfall::FOOTFALL_ISA

#pragma once

#include "solver/native/local_solve.hpp"
#include "solver/native/tree_problem.hpp"

namespace footfall::FOOTFALL_ISA {

/// Block Gauss–Seidel for the true cone by trees: one contact after the other is solved exactly while the others rest.
/// Each goes beyond that by half of its change, which takes bodies that press on each other in long chains to where
/// they are going; the last sweeps do not, or what is nearly solved would never be. A sweep costs as much as a product
/// with V.
template <class ProblemT>
class TreeSweeps {
 public:
  TreeSweeps(const ProblemT& problem, Arena& arena) : problem_(problem) {
    solvers_ = reinterpret_cast<ConeContact*>(arena.take<double>(problem.contacts * kSize));
    blocks_ = reinterpret_cast<OwnBlock*>(arena.take<double>(problem.contacts * kBlockSize));
    y_ = arena.take<double>(problem.motions());
    for (int i = 0; i < problem.contacts; ++i) {
      if (!problem.movable(i)) continue;
      blocks_[i] = OwnBlock::of(problem, i);
      solvers_[i] = ConeContact(blocks_[i], problem.g[i]);
    }
  }
  static std::size_t scratchSize(const typename ProblemT::Size& size) {
    return size.stride * (kSize + kBlockSize) + kBlock * size.nodes + 24;
  }

  void sweep(int times, double* p) {
    problem_.motionOf(p, y_);
    for (int k = 0; k < times; ++k) sweepOnce(p, times - k > SweepRules::kExactLast ? SweepRules::kBeyond : 1.0);
  }

 private:
  static constexpr int kSize = sizeof(ConeContact) / sizeof(double);
  static constexpr int kBlockSize = sizeof(OwnBlock) / sizeof(double);

  void sweepOnce(double* p, double factor) {
    const int stride = problem_.stride();
    for (int i = 0; i < problem_.contacts; ++i) {
      if (!problem_.movable(i)) continue;
      const Vector3<double> old = contactOf(p, stride, i);
      const Vector3<double> free = freeVelocity(i, old);
      if (old.n == 0.0 && free.n >= 0.0) continue;
      const Vector3<double> now = beyond(old, solvers_[i].solve(problem_.mu[i], free), problem_.mu[i], factor);
      setContact(p, stride, i, now);
      problem_.addMotion(i, {now.x - old.x, now.y - old.y, now.n - old.n}, y_);
    }
  }

  /// On the cone.
  static Vector3<double> beyond(const Vector3<double>& old, const Vector3<double>& exact, double mu, double factor) {
    const double n = larger(old.n + factor * (exact.n - old.n), 0.0);
    const double x = old.x + factor * (exact.x - old.x), y = old.y + factor * (exact.y - old.y);
    const double length2 = x * x + y * y, radius = mu * n;
    const double share = length2 > radius * radius ? radius / squareRoot(length2) : 1.0;
    return {share * x, share * y, n};
  }

  /// Velocity of contact i without its own impulse.
  Vector3<double> freeVelocity(int i, const Vector3<double>& p) const {
    Vector3<double> v = contactOf(problem_.b, problem_.stride(), i);
    problem_.addVelocityOf(i, y_, v);
    const OwnBlock& G = blocks_[i];
    const double* own = problem_.trees.own + 3 * i;
    // y holds the motion of the contact's own impulse, but not what only its rows answer.
    return {v.x - ((G.xx - own[0]) * p.x + G.xy * p.y + G.xn * p.n),
            v.y - (G.xy * p.x + (G.yy - own[1]) * p.y + G.yn * p.n),
            v.n - (G.xn * p.x + G.yn * p.y + (G.nn - own[2]) * p.n)};
  }

  const ProblemT& problem_;
  ConeContact* solvers_;
  OwnBlock* blocks_;
  double* y_;  ///< motion of the impulses
};

}  // namespace footfall::FOOTFALL_ISA

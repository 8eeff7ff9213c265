#pragma once

#include "solver/native/friction_laws.hpp"
#include "solver/native/vectors.hpp"

namespace footfall::FOOTFALL_ISA {

/// Reads one contact out of a component-major vector.
inline Vector3<double> contactOf(const double* vector, int stride, int i) {
  return {vector[i], vector[stride + i], vector[2 * stride + i]};
}

inline void setContact(double* vector, int stride, int i, const Vector3<double>& value) {
  vector[i] = value.x;
  vector[stride + i] = value.y;
  vector[2 * stride + i] = value.n;
}

/// What every stage needs to know of a problem, however its G is kept. kStride is the number of padded contacts where
/// it is known when compiling (4 or 8), else 0.
template <class Law, int kStride>
class ProblemRows {
 public:
  static constexpr bool kKnownSize = kStride > 0;
  static constexpr int kLanes = kStride == 4 && kNativeLanes > 4 ? 4 : kNativeLanes;
  using P = Pack<kLanes>;

  ProblemRows(const KernelProblem& problem, Arena& arena)
      : contacts(problem.contacts), b(problem.b), mu(problem.mu), stride_(problem.stride) {
    g = arena.take<double>(stride());
    residuals_ = arena.take<double>(stride());
  }

  int stride() const { return kStride > 0 ? kStride : stride_; }
  int rows() const { return 3 * stride(); }

  /// Largest natural map over the contacts; infinity if anything is not a number.
  double residual(const double* p, const double* v) const {
    const int s = stride();
    P largest{}, sum{};
    for (int i = 0; i < s; i += kLanes) {
      const P friction = load<P>(mu + i);
      const Vector3<P> impulse = packsOf(p, i), speed = packsOf(v, i);
      const P r = Law::residualSquared(load<P>(g + i), friction, impulse, speed);
      store(residuals_ + i, r);
      largest = larger(largest, r);
      // Comparisons let not-a-number slip through; zero times it does not.
      sum += r + 0.0 * (friction + impulse.x + impulse.y + impulse.n + speed.x + speed.y + speed.n);
    }
    double maximum = 0.0, total = 0.0;
    for (int lane = 0; lane < kLanes; ++lane) {
      maximum = larger(maximum, static_cast<double>(largest[lane]));
      total += sum[lane];
    }
    return total < 1e300 ? squareRoot(maximum) : infinity();
  }

  /// The contact where the latest residual() was largest.
  int worstContact() const {
    int worst = contacts > 0 ? 0 : -1;
    for (int i = 1; i < contacts; ++i)
      if (residuals_[i] > residuals_[worst]) worst = i;
    return worst;
  }

  void project(double* p) const {
    const int s = stride();
    for (int i = 0; i < s; i += kLanes) {
      Vector3<P> impulse = packsOf(p, i);
      Law::project(load<P>(mu + i), impulse);
      store(p + i, impulse.x);
      store(p + s + i, impulse.y);
      store(p + 2 * s + i, impulse.n);
    }
  }

  const int contacts;
  const double* const b;
  const double* const mu;
  double* g;               ///< trace(G_ii)/3: local scale of each contact, zero for padding [1/kg]
  double mean_g = 0.0;     ///< harmonic mean over the contacts [1/kg]
  double largest_g = 0.0;  ///< [1/kg]

 protected:
  /// ownTrace(i): of the contact's own block of G.
  template <class Trace>
  void findScales(Trace ownTrace) {
    setZero(g, stride());
    for (int i = 0; i < contacts; ++i) {
      g[i] = ownTrace(i) * (1.0 / 3.0);
      largest_g = larger(largest_g, g[i]);
    }
    // The harmonic mean: a light finger among heavy links, with a thousand times their g, must not set the scale.
    double inverses = 0.0;
    int counted = 0;
    for (int i = 0; i < contacts; ++i) {
      if (!(g[i] > RankRules::kImmovable * largest_g)) continue;
      inverses += 1.0 / g[i];
      ++counted;
    }
    mean_g = counted > 0 ? counted / inverses : 0.0;
  }

 private:
  Vector3<P> packsOf(const double* vector, int i) const {
    return {load<P>(vector + i), load<P>(vector + stride() + i), load<P>(vector + 2 * stride() + i)};
  }

  const int stride_;
  double* residuals_;  ///< square of the latest residual of each contact
};

}  // namespace footfall::FOOTFALL_ISA

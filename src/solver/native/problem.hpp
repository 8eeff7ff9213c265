#pragma once

#include "solver/native/friction_laws.hpp"
#include "solver/native/workspace.hpp"

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

/// The problem with what every stage needs to know of it. kStride is the number of padded contacts where it is known
/// when compiling (4 or 8), else 0.
template <class Law, int kStride>
class Problem {
 public:
  static constexpr bool kKnownSize = kStride > 0;
  static constexpr int kLanes = kStride == 4 && kNativeLanes > 4 ? 4 : kNativeLanes;
  using P = Pack<kLanes>;

  Problem(const KernelProblem& problem, Arena& arena)
      : contacts(problem.contacts), G(problem.G), b(problem.b), mu(problem.mu), stride_(problem.stride) {
    g = arena.doubles(stride());
    residuals_ = arena.doubles(stride());
    findScales();
  }

  int stride() const { return kStride > 0 ? kStride : stride_; }
  int rows() const { return 3 * stride(); }
  const double* row(int i, int component) const {
    return G + static_cast<std::size_t>(component * stride() + i) * rows();
  }
  double block(int i, int a, int c) const { return row(i, a)[c * stride() + i]; }

  /// False where no impulse changes the normal velocity: such a contact is left alone.
  bool movable(int i) const { return block(i, 2, 2) > RankRules::kImmovable * largest_g; }

  /// v = G p + b.
  void velocity(const double* p, double* v) const {
    if constexpr (kStride > 0)
      velocityInRegisters(p, v);
    else
      velocityInMemory(p, v);
  }

  /// v += G(:, contact i) d.
  void addContact(int i, const Vector3<double>& d, double* v) const {
    const double *Gx = row(i, 0), *Gy = row(i, 1), *Gn = row(i, 2);
    for (int k = 0; k < rows(); k += kLanes) {
      const P change = d.x * load<P>(Gx + k) + d.y * load<P>(Gy + k) + d.n * load<P>(Gn + k);
      store(v + k, load<P>(v + k) + change);
    }
  }

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

  /// Whether G holds numbers only. Products with impulses that are zero do not always show it.
  bool isFinite() const {
    double sum = 0.0;
    for (int k = 0; k < rows() * rows(); ++k) sum += 0.0 * G[k];
    return sum == 0.0;
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
  const double* const G;
  const double* const b;
  const double* const mu;
  double* g;               ///< trace(G_ii)/3: local scale of each contact, zero for padding [1/kg]
  double mean_g = 0.0;     ///< harmonic mean over the contacts [1/kg]
  double largest_g = 0.0;  ///< [1/kg]

 private:
  Vector3<P> packsOf(const double* vector, int i) const {
    return {load<P>(vector + i), load<P>(vector + stride() + i), load<P>(vector + 2 * stride() + i)};
  }

  void findScales() {
    setZero(g, stride());
    for (int i = 0; i < contacts; ++i) {
      g[i] = (block(i, 0, 0) + block(i, 1, 1) + block(i, 2, 2)) * (1.0 / 3.0);
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

  void velocityInRegisters(const double* p, double* v) const {
    constexpr int kPacks = 3 * (kStride > 0 ? kStride : 4) / kLanes;
    P even[kPacks], odd[kPacks];
    for (int k = 0; k < kPacks; ++k) {
      even[k] = load<P>(b + k * kLanes);
      odd[k] = P{};
    }
    for (int j = 0; j < 3 * kStride; j += 2) {
      const double* G_even = G + j * 3 * kStride;
      const double* G_odd = G_even + 3 * kStride;
      for (int k = 0; k < kPacks; ++k) {
        even[k] += p[j] * load<P>(G_even + k * kLanes);
        odd[k] += p[j + 1] * load<P>(G_odd + k * kLanes);
      }
    }
    for (int k = 0; k < kPacks; ++k) store(v + k * kLanes, even[k] + odd[k]);
  }

  /// Contacts without impulse are skipped: of many candidates few carry load.
  void velocityInMemory(const double* p, double* v) const {
    copyVector(b, v, rows());
    for (int i = 0; i < contacts; ++i) {
      const Vector3<double> impulse = contactOf(p, stride(), i);
      if (impulse.x != 0.0 || impulse.y != 0.0 || impulse.n != 0.0) addContact(i, impulse, v);
    }
  }

  const int stride_;
  double* residuals_;  ///< square of the latest residual of each contact
};

}  // namespace footfall::FOOTFALL_ISA

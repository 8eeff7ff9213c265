#pragma once

#include "solver/native/problem_rows.hpp"

namespace footfall::FOOTFALL_ISA {

template <class ProblemT>
class DenseMotion;
template <class ProblemT>
class Sweeps;

/// The problem with its G written out.
template <class Law, int kStride>
class Problem : public ProblemRows<Law, kStride> {
 public:
  using Rows = ProblemRows<Law, kStride>;
  using Motion = DenseMotion<Problem>;
  using Sweeping = Sweeps<Problem>;
  using Size = int;  ///< what memory depends on: the stride
  static int strideOf(Size size) { return size; }
  Size size() const { return stride(); }
  using Rows::b, Rows::contacts, Rows::kLanes, Rows::rows, Rows::stride;
  using typename Rows::P;

  Problem(const KernelProblem& problem, Arena& arena)
      : Rows(problem, arena), G(problem.G), matrix(problem.matrix), memo(problem.memo) {
    this->findScales([&](int i) { return block(i, 0, 0) + block(i, 1, 1) + block(i, 2, 2); });
  }

  const double* row(int i, int component) const {
    return G + static_cast<std::size_t>(component * stride() + i) * rows();
  }
  double block(int i, int a, int c) const { return row(i, a)[c * stride() + i]; }

  /// False where no impulse changes the normal velocity: such a contact is left alone.
  bool movable(int i) const { return block(i, 2, 2) > RankRules::kImmovable * this->largest_g; }

  /// v = G p + b.
  void velocity(const double* p, double* v) const {
    if constexpr (kStride > 0)
      velocityInRegisters(p, v);
    else
      velocityInMemory(p, v);
  }

  /// v += G(:, contact i) d. Limits and friction of joints have one row.
  void addContact(int i, const Vector3<double>& d, double* v) const {
    if (kStride == 0 && d.y == 0.0 && (d.x == 0.0 || d.n == 0.0))
      return d.x == 0.0 ? addMultiple<kLanes>(d.n, row(i, 2), v, rows())
                        : addMultiple<kLanes>(d.x, row(i, 0), v, rows());
    const double *Gx = row(i, 0), *Gy = row(i, 1), *Gn = row(i, 2);
    for (int k = 0; k < rows(); k += kLanes) {
      const P change = d.x * load<P>(Gx + k) + d.y * load<P>(Gy + k) + d.n * load<P>(Gn + k);
      store(v + k, load<P>(v + k) + change);
    }
  }

  /// Whether G holds numbers only. Products with impulses that are zero do not always show it.
  bool isFinite() const {
    double sum = 0.0;
    for (int k = 0; k < rows() * rows(); ++k) sum += 0.0 * G[k];
    return sum == 0.0;
  }

  const double* const G;
  const std::uint64_t matrix;  ///< name of G; 0: it has none
  FactorMemo* const memo;

 private:
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
};

}  // namespace footfall::FOOTFALL_ISA

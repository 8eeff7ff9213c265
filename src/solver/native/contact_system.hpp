#pragma once

#include "solver/native/dense_lu.hpp"
#include "solver/native/problem.hpp"

namespace footfall::FOOTFALL_ISA {

/// A linear system with three rows for each of some contacts: C (v + (G + weight·1) dp) + D dp = right.
/// Use: begin(), add() the contacts, reserveRows(), writeRows() for each of them, solve().
template <class ProblemT>
class ContactSystem {
 public:
  ContactSystem(const ProblemT& problem, Arena& arena)
      : problem_(problem), lu_(problem.rows(), arena), contact_(arena.take<int>(problem.stride())) {
    for (double** vector : {&right_, &solution_, &combined_}) *vector = arena.take<double>(problem.rows());
  }
  static std::size_t scratchSize(int stride) {
    return DenseLu::scratchSize(3 * stride) + DenseLu::paddedSize(stride) + 3 * DenseLu::paddedSize(3 * stride);
  }

  void begin() { count_ = 0; }
  void add(int contact) { contact_[count_++] = contact; }
  int count() const { return count_; }
  int contact(int q) const { return contact_[q]; }

  void reserveRows() { lu_.resize(3 * count_); }

  /// Rows of the q-th contact.
  void writeRows(int q, const LocalEquations& e, const double* v, double weight) {
    if (e.sticks)
      writeStickingRows(q, v, weight);
    else
      writeGeneralRows(q, e, v, weight);
  }

  /// Writes the solution for these contacts into dp and leaves the rest of it alone.
  void solve(double* dp, bool pivoting) {
    lu_.factorise(pivoting);
    lu_.solve(right_, solution_);
    for (int c = 0; c < 3; ++c)
      for (int q = 0; q < count_; ++q) dp[c * problem_.stride() + contact_[q]] = solution_[c * count_ + q];
  }

 private:
  /// Copies the columns of the contacts in the system.
  void gather(const double* from, double* to) const {
    if (count_ == problem_.stride()) {
      copyVector(from, to, problem_.rows());
      return;
    }
    for (int c = 0; c < 3; ++c)
      for (int q = 0; q < count_; ++q) to[c * count_ + q] = from[c * problem_.stride() + contact_[q]];
  }

  void writeStickingRows(int q, const double* v, double weight) {
    for (int c = 0; c < 3; ++c) {
      const int k = c * count_ + q;
      gather(problem_.row(contact_[q], c), lu_.row(k));
      lu_.row(k)[k] += weight;
      right_[k] = -v[c * problem_.stride() + contact_[q]];
    }
  }

  void writeGeneralRows(int q, const LocalEquations& e, const double* v, double weight) {
    const int i = contact_[q];
    const Vector3<double> v_i = contactOf(v, problem_.stride(), i);
    for (int c = 0; c < 3; ++c) {
      const double* C = e.C[c];
      const int k = c * count_ + q;
      double* row = lu_.row(k);
      combineRows(i, C, row);
      for (int d = 0; d < 3; ++d) row[d * count_ + q] += e.D[c][d] + weight * C[d];
      right_[k] = e.right[c] - (C[0] * v_i.x + C[1] * v_i.y + C[2] * v_i.n);
    }
  }

  /// row = C (G_x; G_y; G_n) of contact i, over the contacts of the system.
  void combineRows(int i, const double* C, double* row) {
    const double *Gx = problem_.row(i, 0), *Gy = problem_.row(i, 1), *Gn = problem_.row(i, 2);
    if (C[0] == 0.0 && C[1] == 0.0 && C[2] == 0.0) {
      setZero(row, lu_.size());
      return;
    }
    for (int k = 0; k < problem_.rows(); ++k) combined_[k] = C[0] * Gx[k] + C[1] * Gy[k] + C[2] * Gn[k];
    gather(combined_, row);
  }

  const ProblemT& problem_;
  DenseLu lu_;
  int* contact_;
  int count_ = 0;
  double* right_;
  double* solution_;
  double* combined_;
};

}  // namespace footfall::FOOTFALL_ISA

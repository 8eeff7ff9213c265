#pragma once

#include <algorithm>
#include <vector>

#include "footfall/spatial/pose.hpp"

namespace footfall {

/// P A Pᵀ = L Lᵀ of a symmetric, positive semi-definite matrix, by Cholesky's method with pivoting: rows that depend on
/// others are found and left out, so that A x = b is solved for every b in the range of A.
class RankRevealingCholesky {
 public:
  void reserve(int size);

  /// Rows whose pivot falls below this share of the largest are taken as dependent [-].
  static constexpr double kDependent = 1e-11;
  /// Rows that nothing can move have a pivot of about 1e-100 where prescribed joints alone move them, and of rounding
  /// squared, (1e-16 m)² over grams, where motions cancel that joints do not allow [1/kg or 1/(kg m²)].
  static constexpr double kImmovable = 1e-24;
  void factorize(const MatrixXd& A, int size);
  /// Takes some of the independent rows as dependent ones, the least independent first.
  void takeRank(int rank) { rank_ = std::min(rank_, rank); }

  int rank() const { return rank_; }
  /// What was left of the k-th independent row, of its own entry of A.
  double left(int k) const { return L_(k, k) * L_(k, k); }
  int pivot(int k) const { return order_[k]; }  ///< original row of the k-th row of L: the independent ones come first
  /// Of L, which has `size` rows and as many columns as the rank.
  double entry(int row, int column) const { return column <= row ? L_(row, column) : 0.0; }

  /// y ← L⁻¹ b over the independent rows: bᵀ A⁺ c = (L⁻¹b)·(L⁻¹c). b has `size` entries, y `rank`.
  template <class In, class Out>
  void halfSolve(const In& b, Out&& y) const {
    for (int k = 0; k < rank_; ++k) {
      double sum = b[order_[k]];
      for (int j = 0; j < k; ++j) sum -= L_(k, j) * y[j];
      y[k] = sum / L_(k, k);
    }
  }

  /// The same for the first `rows` rows of B at once, each of `size` entries: the rows of Y.
  void halfSolveRows(const MatrixXd& B, int rows, MatrixXd& Y) const;

  /// x ← a solution of A x = b from y = halfSolve(b); dependent rows get zero.
  template <class In, class Out>
  void finishSolve(const In& y, Out&& x) const {
    for (int k = rank_ - 1; k >= 0; --k) {
      double sum = y[k];
      for (int j = k + 1; j < rank_; ++j) sum -= L_(j, k) * x[order_[j]];
      x[order_[k]] = sum / L_(k, k);
    }
    for (int k = rank_; k < size_; ++k) x[order_[k]] = 0.0;
  }

 private:
  MatrixXd L_;  ///< rows in pivot order
  std::vector<int> order_;
  VectorXd diagonal_;
  int size_ = 0, rank_ = 0;
};

}  // namespace footfall

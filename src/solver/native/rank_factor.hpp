#pragma once

#include "solver/native/problem.hpp"

namespace footfall::FOOTFALL_ISA {

/// G = V Vᵀ over some contacts. However many contacts a robot has, V has no more columns than the robot has degrees of
/// freedom. By Cholesky's method with pivoting, column by column until nothing is left.
template <class ProblemT>
class RankFactor {
 public:
  static int mostColumns(int rows) { return rows / 2 / 8 * 8; }

  RankFactor(const ProblemT& problem, Arena& arena) : problem_(problem) {
    V_ = arena.take<double>(static_cast<std::size_t>(problem.rows()) * mostColumns(problem.rows()));
    left_ = arena.take<double>(problem.rows());
    place_ = arena.take<int>(problem.rows());
  }
  static std::size_t scratchSize(int stride) {
    return static_cast<std::size_t>(3 * stride) * mostColumns(3 * stride) + 6 * stride + 24;
  }

  /// False when there are too many columns to make the factor worth its while. Row c·count + q is component c of
  /// contact[q].
  bool factorise(const int* contact, int count) {
    rows_ = 3 * count;
    rank_ = 0;
    width_ = mostColumns(rows_);
    if (rows_ < InteriorRules::kFewRows) return false;
    for (int i = 0; i < rows_; ++i) place_[i] = i / count * problem_.stride() + contact[i % count];
    for (int i = 0; i < rows_; ++i) left_[i] = rowOfG(i)[place_[i]];
    const double enough = InteriorRules::kNegligible * left_[largest()];
    for (; rank_ < width_; ++rank_) {
      const int pivot = largest();
      if (!(left_[pivot] > enough)) return true;
      if (rank_ % 8 == 0) clearColumns(rank_);
      addColumn(pivot);
    }
    return false;
  }

  int columns() const { return rank_; }
  int width() const { return width_; }  ///< columns with padding, which is zero
  const double* row(int i) const { return V_ + static_cast<std::size_t>(i) * width_; }

 private:
  const double* rowOfG(int i) const { return problem_.G + static_cast<std::size_t>(place_[i]) * problem_.rows(); }

  int largest() const {
    int best = 0;
    for (int i = 1; i < rows_; ++i)
      if (left_[i] > left_[best]) best = i;
    return best;
  }

  /// Eight of them, of which the first is next.
  void clearColumns(int first) {
    for (int i = 0; i < rows_; ++i) setZero(V_ + static_cast<std::size_t>(i) * width_ + first, 8);
  }

  void addColumn(int pivot) {
    const double* G_pivot = rowOfG(pivot);
    const double inverse = 1.0 / squareRoot(left_[pivot]);
    for (int i = 0; i < rows_; ++i) {
      double* V_i = V_ + static_cast<std::size_t>(i) * width_;
      const double value = (G_pivot[place_[i]] - dotProduct(V_i, row(pivot), rank_)) * inverse;
      // The pivot's own row is read by all others: its new entry waits until they are done.
      left_[i] -= value * value;
      if (i != pivot) V_i[rank_] = value;
    }
    V_[static_cast<std::size_t>(pivot) * width_ + rank_] = 1.0 / inverse;
    left_[pivot] = 0.0;
  }

  const ProblemT& problem_;
  int rows_ = 0, rank_ = 0, width_ = 0;
  double* V_;     ///< row by row
  double* left_;  ///< diagonal of G − V Vᵀ
  int* place_;    ///< row of the problem of each row of V
};

}  // namespace footfall::FOOTFALL_ISA

#include "dynamics/rank_revealing_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace footfall {

void RankRevealingCholesky::reserve(int size) {
  L_.resize(size, size);
  order_.resize(size);
  diagonal_.resize(size);
}

void RankRevealingCholesky::factorize(const MatrixXd& A, int size) {
  size_ = size;
  double largest = 0.0;
  for (int k = 0; k < size; ++k) {
    order_[k] = k;
    diagonal_[k] = A(k, k);
    largest = std::max(largest, A(k, k));
  }
  for (rank_ = 0; rank_ < size; ++rank_) {
    const int k = rank_;
    int best = k;
    for (int j = k + 1; j < size; ++j)
      if (diagonal_[order_[j]] > diagonal_[order_[best]]) best = j;
    if (!(diagonal_[order_[best]] > std::max(kDependent * largest, kImmovable))) return;
    if (best != k) {
      std::swap(order_[k], order_[best]);
      L_.row(k).head(k).swap(L_.row(best).head(k));
    }
    L_(k, k) = std::sqrt(diagonal_[order_[k]]);
    for (int j = k + 1; j < size; ++j) {
      L_(j, k) = (A(order_[j], order_[k]) - L_.row(j).head(k).dot(L_.row(k).head(k))) / L_(k, k);
      diagonal_[order_[j]] -= L_(j, k) * L_(j, k);
    }
  }
}

void RankRevealingCholesky::halfSolveRows(const MatrixXd& B, int rows, MatrixXd& Y) const {
  for (int k = 0; k < rank_; ++k) {
    auto y = Y.col(k).head(rows);
    y = B.col(order_[k]).head(rows);
    for (int j = 0; j < k; ++j) y -= L_(k, j) * Y.col(j).head(rows);
    y /= L_(k, k);
  }
}

}  // namespace footfall

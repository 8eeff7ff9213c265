#pragma once

#include "solver/native/dense_lu.hpp"
#include "solver/native/rank_factor.hpp"

namespace footfall::FOOTFALL_ISA {

/// (G + B) x = right over some contacts, with a 3 × 3 block of B for each. Where many contacts hang on few degrees of
/// freedom, G = V Vᵀ has few columns, and Woodbury's formula
///     (B + V Vᵀ)⁻¹ = B⁻¹ − B⁻¹V (1 + VᵀB⁻¹V)⁻¹ VᵀB⁻¹
/// needs a matrix of that size only. One step of refinement takes back what the formula loses by cancellation.
template <class ProblemT>
class InteriorSystem {
 public:
  InteriorSystem(const ProblemT& problem, Arena& arena)
      : problem_(problem), factor_(problem, arena), lu_(problem.rows(), arena) {
    T_ = arena.take<double>(static_cast<std::size_t>(problem.rows()) * Factor::mostColumns(problem.rows()));
    B_ = reinterpret_cast<Block*>(arena.take<double>(problem.stride() * sizeof(Block) / sizeof(double)));
    inverse_ = reinterpret_cast<Block*>(arena.take<double>(problem.stride() * sizeof(Block) / sizeof(double)));
    for (double** vector : {&defect_, &correction_, &narrow_, &narrow_solution_})
      *vector = arena.take<double>(problem.rows());
  }
  static std::size_t scratchSize(int stride) {
    const std::size_t rows = 3 * stride;
    return Factor::scratchSize(stride) + DenseLu::scratchSize(3 * stride) + rows * Factor::mostColumns(3 * stride) +
           2 * (stride * sizeof(Block) / sizeof(double) + 8) + 4 * DenseLu::paddedSize(3 * stride) + 16;
  }

  using Block = double[3][3];

  void begin(const int* contact, int count) {
    contact_ = contact;
    count_ = count;
    narrow_way_ = factor_.factorise(contact, count);
  }

  /// The block of the q-th contact, to be written before factorise().
  Block& block(int q) { return B_[q]; }

  void factorise() {
    if (narrow_way_)
      factoriseNarrow();
    else
      factoriseDense();
    lu_.factorise(true);
  }

  void solve(const double* right, double* x) {
    if (!narrow_way_) {
      lu_.solve(right, x);
      return;
    }
    solveNarrow(right, x);
    findDefect(right, x);
    solveNarrow(defect_, correction_);
    for (int k = 0; k < 3 * count_; ++k) x[k] += correction_[k];
  }

 private:
  using Factor = RankFactor<ProblemT>;

  void factoriseDense() {
    const int stride = problem_.stride();
    lu_.resize(3 * count_);
    for (int c = 0; c < 3; ++c) {
      for (int q = 0; q < count_; ++q) {
        const double* G_row = problem_.row(contact_[q], c);
        double* row = lu_.row(c * count_ + q);
        for (int d = 0; d < 3; ++d) {
          for (int r = 0; r < count_; ++r) row[d * count_ + r] = G_row[d * stride + contact_[r]];
          row[d * count_ + q] += B_[q][c][d];
        }
      }
    }
  }

  /// T = B⁻¹ V, and the matrix 1 + Vᵀ T.
  void factoriseNarrow() {
    const int columns = factor_.columns(), padded = DenseLu::paddedSize(columns);
    lu_.resize(columns);
    for (int k = 0; k < columns; ++k) {
      setZero(lu_.row(k), padded);
      lu_.row(k)[k] = 1.0;
    }
    for (int q = 0; q < count_; ++q) {
      invert(B_[q], inverse_[q]);
      for (int c = 0; c < 3; ++c) {
        double* T = T_ + static_cast<std::size_t>(c * count_ + q) * factor_.width();
        setZero(T, padded);
        for (int d = 0; d < 3; ++d) addMultiple(inverse_[q][c][d], factor_.row(d * count_ + q), T, padded);
        const double* V = factor_.row(c * count_ + q);
        for (int k = 0; k < columns; ++k) addMultiple(V[k], T, lu_.row(k), padded);
      }
    }
  }

  void solveNarrow(const double* right, double* x) {
    const int columns = factor_.columns(), padded = DenseLu::paddedSize(columns);
    setZero(narrow_, padded);
    for (int q = 0; q < count_; ++q) {
      for (int c = 0; c < 3; ++c) {
        const int row = c * count_ + q;
        x[row] = 0.0;
        for (int d = 0; d < 3; ++d) x[row] += inverse_[q][c][d] * right[d * count_ + q];
        addMultiple(x[row], factor_.row(row), narrow_, padded);
      }
    }
    setZero(narrow_solution_, padded);
    lu_.solve(narrow_, narrow_solution_);
    for (int row = 0; row < 3 * count_; ++row)
      x[row] -= dotProduct(T_ + static_cast<std::size_t>(row) * factor_.width(), narrow_solution_, padded);
  }

  /// right − (B + V Vᵀ) x
  void findDefect(const double* right, const double* x) {
    const int padded = DenseLu::paddedSize(factor_.columns());
    setZero(narrow_, padded);
    for (int row = 0; row < 3 * count_; ++row) addMultiple(x[row], factor_.row(row), narrow_, padded);
    for (int q = 0; q < count_; ++q) {
      for (int c = 0; c < 3; ++c) {
        const int row = c * count_ + q;
        defect_[row] = right[row] - dotProduct(factor_.row(row), narrow_, padded);
        for (int d = 0; d < 3; ++d) defect_[row] -= B_[q][c][d] * x[d * count_ + q];
      }
    }
  }

  static void invert(const Block& A, Block& inverse) {
    const auto minor = [&](int a, int c) {
      const int a1 = (a + 1) % 3, a2 = (a + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
      return A[a1][c1] * A[a2][c2] - A[a1][c2] * A[a2][c1];
    };
    const double determinant = A[0][0] * minor(0, 0) + A[0][1] * minor(0, 1) + A[0][2] * minor(0, 2);
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c) inverse[c][a] = minor(a, c) / determinant;
  }

  const ProblemT& problem_;
  Factor factor_;
  DenseLu lu_;
  const int* contact_ = nullptr;
  int count_ = 0;
  bool narrow_way_ = false;
  double* T_;  ///< B⁻¹ V
  Block *B_, *inverse_;
  double *defect_, *correction_, *narrow_, *narrow_solution_;
};

}  // namespace footfall::FOOTFALL_ISA

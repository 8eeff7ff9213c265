#pragma once

#include "solver/native/vectors.hpp"

namespace footfall::FOOTFALL_ISA {

/// LU factorisation of a small dense matrix, row by row in vector registers, in panels of eight columns.
/// Rows are reached through pointers, so that exchanging two of them costs nothing.
class DenseLu {
 public:
  static constexpr int kPanel = 8;
  static int paddedSize(int size) { return (size + kPanel - 1) / kPanel * kPanel; }

  /// Room for matrices up to this size.
  DenseLu(int max_size, Arena& arena) {
    storage_ = arena.take<double>(static_cast<std::size_t>(max_size) * paddedSize(max_size));
    rows_ = arena.take<double*>(max_size);
    inverse_pivot_ = arena.take<double>(max_size);
    work_ = arena.take<double>(max_size);
    order_ = arena.take<int>(max_size);
  }
  static std::size_t scratchSize(int max_size) {
    return static_cast<std::size_t>(max_size) * paddedSize(max_size) + 4 * paddedSize(max_size);
  }

  /// Starts a matrix of this size: all rows are to be written by the caller, padding is zeroed here.
  void resize(int size) {
    size_ = size;
    width_ = paddedSize(size);
    for (int k = 0; k < size; ++k) {
      rows_[k] = storage_ + static_cast<std::size_t>(k) * width_;
      for (int j = size; j < width_; ++j) rows_[k][j] = 0.0;
    }
  }
  int size() const { return size_; }
  double* row(int k) { return rows_[k]; }

  /// Without pivoting only for matrices that are symmetric and positive.
  void factorise(bool pivoting) {
    for (int k = 0; k < size_; ++k) order_[k] = k;
    for (int first = 0; first < size_; first += kPanel) {
      const int end = first + kPanel < size_ ? first + kPanel : size_;
      for (int k = first; k < end; ++k) {
        if (pivoting) exchangeForLargest(k);
        eliminateInPanel(k, first);
      }
      for (int column = first + kPanel; column < width_; column += kPanel) updateBlock(first, end, column);
    }
  }

  void solve(const double* right, double* x) {
    if (size_ > kByRows) return solveByRows(right, x);
    double* t = work_;
    for (int k = 0; k < size_; ++k) t[k] = right[order_[k]];
    for (int k = 0; k < size_; ++k)
      for (int i = k + 1; i < size_; ++i) t[i] -= rows_[i][k] * t[k];
    for (int k = size_ - 1; k >= 0; --k) {
      x[k] = t[k] * inverse_pivot_[k];
      for (int i = 0; i < k; ++i) t[i] -= rows_[i][k] * x[k];
    }
  }

 private:
  static constexpr int kPacks = kPanel / kNativeLanes;
  static constexpr int kByRows = 24;  ///< size from which memory in order counts for more than short sums

  /// The same with one sum for each row, in two parts that do not wait for each other.
  void solveByRows(const double* right, double* x) {
    double* t = work_;
    for (int k = 0; k < size_; ++k) t[k] = right[order_[k]] - sumOf(rows_[k], t, 0, k);
    for (int k = size_ - 1; k >= 0; --k) x[k] = (t[k] - sumOf(rows_[k], x, k + 1, size_)) * inverse_pivot_[k];
  }

  static double sumOf(const double* a, const double* b, int begin, int end) {
    NativePack even{}, odd{};
    int k = begin;
    for (; k + 2 * kNativeLanes <= end; k += 2 * kNativeLanes) {
      even += load<NativePack>(a + k) * load<NativePack>(b + k);
      odd += load<NativePack>(a + k + kNativeLanes) * load<NativePack>(b + k + kNativeLanes);
    }
    double sum = 0.0;
    for (; k < end; ++k) sum += a[k] * b[k];
    even += odd;
    for (int lane = 0; lane < kNativeLanes; ++lane) sum += even[lane];
    return sum;
  }

  void exchangeForLargest(int k) {
    int best = k;
    double largest = magnitude(rows_[k][k]);
    for (int i = k + 1; i < size_; ++i) {
      const double candidate = magnitude(rows_[i][k]);
      if (candidate > largest) {
        largest = candidate;
        best = i;
      }
    }
    if (best == k) return;
    double* row = rows_[k];
    rows_[k] = rows_[best];
    rows_[best] = row;
    const int original = order_[k];
    order_[k] = order_[best];
    order_[best] = original;
  }

  /// Eliminates column k from the rows below, within the panel that starts at `first`; stores the multipliers there.
  void eliminateInPanel(int k, int first) {
    const double* pivot_row = rows_[k];
    const double inverse = 1.0 / pivot_row[k];
    inverse_pivot_[k] = inverse;
    NativePack after[kPacks], column[kPacks];
    for (int q = 0; q < kPacks; ++q) {
      column[q] = laneNumbers<NativePack>() + static_cast<double>(first + q * kNativeLanes);
      after[q] = choose(column[q] > broadcast<NativePack>(k), load<NativePack>(pivot_row + first + q * kNativeLanes),
                        NativePack{});
    }
    for (int i = k + 1; i < size_; ++i) {
      double* row = rows_[i];
      const double factor = row[k] * inverse;
      for (int q = 0; q < kPacks; ++q) {
        double* at = row + first + q * kNativeLanes;
        const NativePack reduced = load<NativePack>(at) - factor * after[q];
        store(at, choose(column[q] == broadcast<NativePack>(k), broadcast<NativePack>(factor), reduced));
      }
    }
  }

  /// Applies the panel [first, end) to eight columns on its right.
  void updateBlock(int first, int end, int column) {
    NativePack U[kPanel][kPacks] = {};
    for (int k = first; k < end; ++k) {
      double* row = rows_[k];
      for (int q = 0; q < kPacks; ++q) {
        NativePack value = load<NativePack>(row + column + q * kNativeLanes);
        for (int l = first; l < k; ++l) value -= row[l] * U[l - first][q];
        U[k - first][q] = value;
        store(row + column + q * kNativeLanes, value);
      }
    }
    for (int i = end; i < size_; ++i) {
      double* row = rows_[i];
      const double* L = row + first;
      for (int q = 0; q < kPacks; ++q) {
        NativePack even = load<NativePack>(row + column + q * kNativeLanes), odd{};
        for (int l = 0; l < kPanel; l += 2) {
          even -= L[l] * U[l][q];
          odd -= L[l + 1] * U[l + 1][q];
        }
        store(row + column + q * kNativeLanes, even + odd);
      }
    }
  }

  int size_ = 0;
  int width_ = 0;
  double* storage_;
  double** rows_;
  double* inverse_pivot_;
  double* work_;
  int* order_;  ///< original row of each pivot
};

}  // namespace footfall::FOOTFALL_ISA

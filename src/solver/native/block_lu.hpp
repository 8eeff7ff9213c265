#pragma once

#include "solver/native/tree_problem.hpp"

namespace footfall::FOOTFALL_ISA {

/// LU factorisation of a matrix of blocks of 8 × 8 numbers, of which most are zero (KernelTrees). Rows are exchanged
/// within the blocks of the diagonal only: these are positive but for friction that slides.
class BlockLu {
 public:
  BlockLu(const KernelTrees& pattern, Arena& arena) : pattern_(pattern) {
    storage_ = arena.take<double>(kNumbers * pattern.blocks);
    inverse_ = arena.take<double>(kNumbers * pattern.nodes);
  }
  static std::size_t scratchSize(int nodes, int blocks) { return kNumbers * (blocks + nodes); }

  void clear() { setZero(storage_, static_cast<int>(kNumbers) * pattern_.blocks); }
  double* block(int k) { return storage_ + kNumbers * k; }

  /// Blocks below the diagonal stay as they are, those to the right of it are multiplied by the inverse of the
  /// diagonal.
  void factorise() {
    for (int k = 0; k < pattern_.nodes; ++k) {
      const int begin = pattern_.row_begin[k], count = pattern_.row_begin[k + 1] - begin, size = pattern_.node_size[k];
      invert(block(k), size, inverse_ + kNumbers * k);
      for (int c = 0; c < count; ++c) multiply(inverse_ + kNumbers * k, upper(begin + c), size);
      const int* target = pattern_.target + pattern_.target_begin[k];
      for (int a = 0; a < count; ++a) {
        const int rows = pattern_.node_size[pattern_.row[begin + a]];
        for (int c = 0; c < count; ++c)
          subtractProduct(lower(begin + a), upper(begin + c), rows, size, block(target[a * count + c]));
      }
    }
  }

  /// x is the right side before, the solution afterwards.
  void solve(double* x) const {
    for (int k = 0; k < pattern_.nodes; ++k) {
      double* own = x + kBlock * k;
      double through[kBlock];
      for (int r = 0; r < kBlock; ++r) through[r] = dotProduct(inverse_ + kNumbers * k + r * kBlock, own, kBlock);
      for (int r = 0; r < kBlock; ++r) own[r] = through[r];
      for (int e = pattern_.row_begin[k]; e < pattern_.row_begin[k + 1]; ++e)
        subtractFrom(x + kBlock * pattern_.row[e], lower(e), own, pattern_.node_size[pattern_.row[e]]);
    }
    for (int k = pattern_.nodes - 1; k >= 0; --k)
      for (int e = pattern_.row_begin[k]; e < pattern_.row_begin[k + 1]; ++e)
        subtractFrom(x + kBlock * k, upper(e), x + kBlock * pattern_.row[e], pattern_.node_size[k]);
  }

 private:
  static constexpr std::size_t kNumbers = kBlock * kBlock;
  static constexpr int kPacks = kBlock / kNativeLanes;

  double* lower(int entry) const { return storage_ + kNumbers * (pattern_.nodes + entry); }
  double* upper(int entry) const { return lower(entry) + kNumbers * ((pattern_.blocks - pattern_.nodes) / 2); }

  struct Row {
    NativePack part[kPacks];
  };
  static Row loadRow(const double* from) {
    Row row;
    for (int q = 0; q < kPacks; ++q) row.part[q] = load<NativePack>(from + q * kNativeLanes);
    return row;
  }
  static void storeRow(double* to, const Row& row) {
    for (int q = 0; q < kPacks; ++q) store(to + q * kNativeLanes, row.part[q]);
  }
  static void subtract(double factor, const Row& from, Row& to) {
    for (int q = 0; q < kPacks; ++q) to.part[q] -= factor * from.part[q];
  }

  static void subtractFrom(double* to, const double* A, const double* x, int rows) {
    for (int r = 0; r < rows; ++r) to[r] -= dotProduct(A + r * kBlock, x, kBlock);
  }

  /// C −= A B. Bodies have six motions, which is worth loops of known length.
  static void subtractProduct(const double* A, const double* B, int rows, int inner, double* C) {
    if (rows == 6 && inner == 6)
      subtractProductOf<6>(A, B, 6, C);
    else
      subtractProductOf<kBlock>(A, B, rows, C);
  }
  template <int kInner>
  static void subtractProductOf(const double* A, const double* B, int rows, double* C) {
    Row right[kInner];
    for (int k = 0; k < kInner; ++k) right[k] = loadRow(B + k * kBlock);
    for (int r = 0; r < rows; ++r) {
      Row sum = loadRow(C + r * kBlock);
      for (int k = 0; k < kInner; ++k) subtract(A[r * kBlock + k], right[k], sum);
      storeRow(C + r * kBlock, sum);
    }
  }

  /// B ← A B
  static void multiply(const double* A, double* B, int inner) {
    Row right[kBlock];
    for (int k = 0; k < inner; ++k) right[k] = loadRow(B + k * kBlock);
    for (int r = 0; r < inner; ++r) {
      Row sum{};
      for (int k = 0; k < inner; ++k) subtract(-A[r * kBlock + k], right[k], sum);
      storeRow(B + r * kBlock, sum);
    }
  }

  /// By Gauß and Jordan, with the largest pivots of their columns. Padding is left out.
  static void invert(double* A, int size, double* inverse) {
    setZero(inverse, static_cast<int>(kNumbers));
    for (int k = 0; k < size; ++k) inverse[k * kBlock + k] = 1.0;
    for (int k = 0; k < size; ++k) {
      int best = k;
      for (int r = k + 1; r < size; ++r)
        if (magnitude(A[r * kBlock + k]) > magnitude(A[best * kBlock + k])) best = r;
      if (best != k) {
        exchangeRows(A, k, best);
        exchangeRows(inverse, k, best);
      }
      const double pivot = 1.0 / A[k * kBlock + k];
      Row of_A = loadRow(A + k * kBlock), of_inverse = loadRow(inverse + k * kBlock);
      for (int q = 0; q < kPacks; ++q) {
        of_A.part[q] *= pivot;
        of_inverse.part[q] *= pivot;
      }
      storeRow(A + k * kBlock, of_A);
      storeRow(inverse + k * kBlock, of_inverse);
      for (int r = 0; r < size; ++r) {
        if (r == k) continue;
        const double factor = A[r * kBlock + k];
        Row a = loadRow(A + r * kBlock), b = loadRow(inverse + r * kBlock);
        subtract(factor, of_A, a);
        subtract(factor, of_inverse, b);
        storeRow(A + r * kBlock, a);
        storeRow(inverse + r * kBlock, b);
      }
    }
  }
  static void exchangeRows(double* A, int a, int b) {
    const Row of_a = loadRow(A + a * kBlock), of_b = loadRow(A + b * kBlock);
    storeRow(A + a * kBlock, of_b);
    storeRow(A + b * kBlock, of_a);
  }

  const KernelTrees& pattern_;
  double* storage_;
  double* inverse_;  ///< of the blocks of the diagonal
};

}  // namespace footfall::FOOTFALL_ISA

#pragma once

#include "solver/native/tree_problem.hpp"

namespace footfall::FOOTFALL_ISA {

/// LU factorisation of a matrix of blocks of 8 × 8 numbers, of which most are zero (KernelTrees). Rows are exchanged
/// within the blocks of the diagonal only: these are positive but for friction that slides.
///
/// Blocks below the diagonal are kept transposed: so every product, of blocks and with vectors, runs along rows.
class BlockLu {
 public:
  BlockLu(const KernelTrees& pattern, Arena& arena) : pattern_(pattern) {
    storage_ = arena.take<double>(kNumbers * pattern.blocks);
    inverse_ = arena.take<double>(kNumbers * pattern.nodes);
  }
  static std::size_t scratchSize(int nodes, int blocks) { return kNumbers * (blocks + nodes); }

  /// @param symmetric nothing is added below the diagonal: factorise() takes it from above
  void begin(bool symmetric) {
    symmetric_ = symmetric;
    const std::size_t half = kNumbers * entries();
    if (symmetric) {
      setZero(storage_, static_cast<int>(kNumbers) * pattern_.nodes);
      setZero(upper(0), static_cast<int>(half));
    } else {
      setZero(storage_, static_cast<int>(kNumbers) * pattern_.blocks);
    }
  }
  void addToDiagonal(int node, double value) {
    for (int r = 0; r < kBlock; ++r) block(node)[r * kBlock + r] += value;
  }
  /// Adds leftᵀ right to the block between two nodes; both are three rows of a contact.
  void addProduct(int number, int row_node, int column_node, const double* left, const double* right) {
    if (row_node <= column_node)
      accumulate(left, right, pattern_.node_size[row_node], block(number));
    else if (!symmetric_)
      accumulate(right, left, pattern_.node_size[column_node], block(number));
  }

  /// Blocks below the diagonal stay as they are, those to the right of it are multiplied by the inverse of the
  /// diagonal.
  void factorise() {
    for (int k = 0; k < pattern_.nodes; ++k) {
      const int begin = pattern_.row_begin[k], count = pattern_.row_begin[k + 1] - begin, size = pattern_.node_size[k];
      if (symmetric_) copyVector(upper(begin), lower(begin), static_cast<int>(kNumbers) * count);
      invert(block(k), size, inverse_ + kNumbers * k);
      for (int c = 0; c < count; ++c) multiply(inverse_ + kNumbers * k, upper(begin + c), size);
      if (size == 6)
        eliminate<6>(k, begin, count);
      else
        eliminate<kBlock>(k, begin, count);
    }
  }

  /// x is the right side before, the solution afterwards.
  void solve(double* x) const {
    for (int k = 0; k < pattern_.nodes; ++k) {
      const int size = pattern_.node_size[k];
      double own[kBlock];
      Row through{};
      for (int c = 0; c < size; ++c)
        subtract(-x[kBlock * k + c], loadRow(inverse_ + kNumbers * k + c * kBlock), through);
      storeRow(x + kBlock * k, through);
      for (int c = 0; c < size; ++c) own[c] = x[kBlock * k + c];
      for (int e = pattern_.row_begin[k]; e < pattern_.row_begin[k + 1]; ++e) {
        double* to = x + kBlock * pattern_.row[e];
        Row sum = loadRow(to);
        for (int c = 0; c < size; ++c) subtract(own[c], loadRow(lower(e) + c * kBlock), sum);
        storeRow(to, sum);
      }
    }
    for (int k = pattern_.nodes - 1; k >= 0; --k) {
      Row sums[kBlock] = {};
      const int size = pattern_.node_size[k];
      for (int e = pattern_.row_begin[k]; e < pattern_.row_begin[k + 1]; ++e) {
        const Row other = loadRow(x + kBlock * pattern_.row[e]);
        for (int r = 0; r < size; ++r)
          for (int q = 0; q < kPacks; ++q)
            sums[r].part[q] += load<NativePack>(upper(e) + r * kBlock + q * kNativeLanes) * other.part[q];
      }
      for (int r = 0; r < size; ++r) {
        NativePack sum = sums[r].part[0];
        for (int q = 1; q < kPacks; ++q) sum += sums[r].part[q];
        x[kBlock * k + r] -= sumOfLanes(sum);
      }
    }
  }

 private:
  static constexpr std::size_t kNumbers = kBlock * kBlock;
  static constexpr int kPacks = kBlock / kNativeLanes;

  int entries() const { return (pattern_.blocks - pattern_.nodes) / 2; }
  double* block(int k) const { return storage_ + kNumbers * k; }
  double* lower(int entry) const { return storage_ + kNumbers * (pattern_.nodes + entry); }
  double* upper(int entry) const { return lower(entry) + kNumbers * entries(); }

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

  /// C += Aᵀ B, for three rows of A and B.
  static void accumulate(const double* A, const double* B, int rows, double* C) {
    const Row x = loadRow(B), y = loadRow(B + kBlock), n = loadRow(B + 2 * kBlock);
    for (int r = 0; r < rows; ++r) {
      Row sum = loadRow(C + r * kBlock);
      subtract(-A[r], x, sum);
      subtract(-A[kBlock + r], y, sum);
      subtract(-A[2 * kBlock + r], n, sum);
      storeRow(C + r * kBlock, sum);
    }
  }

  /// Of the blocks between those that node k is connected to; entries are in the order of their nodes. Bodies have six
  /// motions, which is worth loops of known length.
  template <int kInner>
  void eliminate(int k, int begin, int count) {
    const int* target = pattern_.target + pattern_.target_begin[k];
    for (int c = 0; c < count; ++c) {  // right of the diagonal, and on it
      Row right[kInner];
      for (int i = 0; i < kInner; ++i) right[i] = loadRow(upper(begin + c) + i * kBlock);
      for (int a = 0; a <= c; ++a)
        subtractProduct<kInner>(lower(begin + a), right, sizeOfEntry(begin + a), block(target[a * count + c]));
    }
    if (symmetric_) return;
    for (int a = 0; a < count; ++a) {  // below the diagonal, transposed
      Row right[kInner];
      for (int i = 0; i < kInner; ++i) right[i] = loadRow(lower(begin + a) + i * kBlock);
      for (int c = 0; c < a; ++c)
        subtractProduct<kInner>(upper(begin + c), right, sizeOfEntry(begin + c), block(target[a * count + c]));
    }
  }
  int sizeOfEntry(int entry) const { return pattern_.node_size[pattern_.row[entry]]; }

  /// C −= Aᵀ B
  template <int kInner>
  static void subtractProduct(const double* A, const Row (&B)[kInner], int rows, double* C) {
    for (int r = 0; r < rows; ++r) {
      Row sum = loadRow(C + r * kBlock);
      for (int i = 0; i < kInner; ++i) subtract(A[i * kBlock + r], B[i], sum);
      storeRow(C + r * kBlock, sum);
    }
  }

  /// B ← Aᵀ B
  static void multiply(const double* A, double* B, int inner) {
    Row right[kBlock];
    for (int k = 0; k < inner; ++k) right[k] = loadRow(B + k * kBlock);
    for (int r = 0; r < inner; ++r) {
      Row sum{};
      for (int k = 0; k < inner; ++k) subtract(-A[k * kBlock + r], right[k], sum);
      storeRow(B + r * kBlock, sum);
    }
  }

  /// By Gauß and Jordan in place, with the largest pivots of their columns; the result is transposed. Padding is left
  /// out.
  static void invert(double* A, int size, double* transposed) {
    int from[kBlock];
    for (int k = 0; k < size; ++k) {
      int best = k;
      for (int r = k + 1; r < size; ++r)
        if (magnitude(A[r * kBlock + k]) > magnitude(A[best * kBlock + k])) best = r;
      from[k] = best;
      if (best != k) exchangeRows(A, k, best);
      const double pivot = 1.0 / A[k * kBlock + k];
      // Column k becomes that of the unit matrix before. By products: a single number that is written before its row is
      // read makes the processor wait.
      const Row others = loadRow(kOthers[k]);
      Row own = loadRow(A + k * kBlock);
      for (int q = 0; q < kPacks; ++q) own.part[q] = (own.part[q] * others.part[q] + (1.0 - others.part[q])) * pivot;
      storeRow(A + k * kBlock, own);
      for (int r = 0; r < size; ++r) {
        if (r == k) continue;
        const double factor = A[r * kBlock + k];
        Row other = loadRow(A + r * kBlock);
        for (int q = 0; q < kPacks; ++q) other.part[q] *= others.part[q];
        subtract(factor, own, other);
        storeRow(A + r * kBlock, other);
      }
    }
    // Rows of A that were exchanged are columns of its inverse, rows of the transposed one.
    setZero(transposed, static_cast<int>(kNumbers));
    for (int r = 0; r < size; ++r)
      for (int c = 0; c < size; ++c) transposed[c * kBlock + r] = A[r * kBlock + c];
    for (int k = size - 1; k >= 0; --k)
      if (from[k] != k) exchangeRows(transposed, k, from[k]);
  }
  alignas(64) static constexpr double kOthers[kBlock][kBlock] = {
      {0, 1, 1, 1, 1, 1, 1, 1}, {1, 0, 1, 1, 1, 1, 1, 1}, {1, 1, 0, 1, 1, 1, 1, 1}, {1, 1, 1, 0, 1, 1, 1, 1},
      {1, 1, 1, 1, 0, 1, 1, 1}, {1, 1, 1, 1, 1, 0, 1, 1}, {1, 1, 1, 1, 1, 1, 0, 1}, {1, 1, 1, 1, 1, 1, 1, 0}};
  static void exchangeRows(double* A, int a, int b) {
    const Row of_a = loadRow(A + a * kBlock), of_b = loadRow(A + b * kBlock);
    storeRow(A + a * kBlock, of_b);
    storeRow(A + b * kBlock, of_a);
  }

  const KernelTrees& pattern_;
  bool symmetric_ = false;
  double* storage_;
  double* inverse_;  ///< of the blocks of the diagonal, transposed
};

}  // namespace footfall::FOOTFALL_ISA

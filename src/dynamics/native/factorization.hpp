#pragma once

#include "dynamics/native/link_math.hpp"

/// M = Lᵀ D L (Featherstone's LTDL, which keeps the zeros between limbs), and what is done with it.
namespace footfall::native::FOOTFALL_ISA {

template <class T>
constexpr int kChunk = Width<T>::kChunk;

/// Chunks of a row that are held in registers together: more would not fit.
template <class T>
constexpr int kLongestTile = kChunk<T> == 1 && !kIsPair<Lanes> ? 16 : 4;

// --- factorisation ---------------------------------------------------------------------------------

/// An entry of D L: stored for one robot, computed again for a pack, where memory is scarcer than products.
template <class T>
FOOTFALL_INLINE T undivided(const Scratch<T>& w, int k, int entry) {
  if constexpr (kChunk<T> == 1) {
    return w.L[w.row[k] + entry] * w.D[k];
  } else {
    return w.U[w.row[k] + entry];
  }
}

/// Takes the contributions of the joints beyond k off a piece of row k, which stays in registers meanwhile.
template <int kChunks, class T>
FOOTFALL_INLINE void reduceTile(const Tree& tree, Scratch<T>& w, int k, int pivot, int begin) {
  Chunk<T> tile[kChunks];
  const T* M_row = w.M + w.row[k] + begin;
  for (int c = 0; c < kChunks; ++c) tile[c] = load<Chunk<T>>(M_row + c * kChunk<T>);
  for (int j = k + 1; j <= tree.last[k]; ++j) {
    const T factor = undivided(w, j, pivot);
    const T* row = w.L + w.row[j] + begin;
    for (int c = 0; c < kChunks; ++c) tile[c] -= factor * load<Chunk<T>>(row + c * kChunk<T>);
  }
  T* U_row = w.U + w.row[k] + begin;
  for (int c = 0; c < kChunks; ++c) store(U_row + c * kChunk<T>, tile[c]);
}

/// Picks the tile of the right length: lengths known to the compiler keep the row out of memory.
template <class T, int kChunks = kLongestTile<T>>
FOOTFALL_INLINE void reduceShortRow(const Tree& tree, Scratch<T>& w, int k, int pivot, int begin, int chunks) {
  if constexpr (kChunks > 0) {
    if (chunks == kChunks) {
      reduceTile<kChunks>(tree, w, k, pivot, begin);
    } else {
      reduceShortRow<T, kChunks - 1>(tree, w, k, pivot, begin, chunks);
    }
  }
}

template <class T>
FOOTFALL_INLINE void reduceRow(const Tree& tree, Scratch<T>& w, int k, int pivot) {
  int begin = 0, chunks = pivot / kChunk<T> + 1;
  for (; chunks > kLongestTile<T>; chunks -= kLongestTile<T>, begin += kLongestTile<T> * kChunk<T>) {
    reduceTile<kLongestTile<T>>(tree, w, k, pivot, begin);
  }
  reduceShortRow<T>(tree, w, k, pivot, begin, chunks);
}

/// Read from entry 8 - n on, it holds n ones, then zeros.
alignas(64) constexpr double kOnesThenZeros[16] = {1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0};

/// A row of L is the row of U divided by its pivot; the pivot's own entry and the padding become zero.
template <class T>
FOOTFALL_INLINE void scaleRow(const T* U_row, int pivot, const T& pivot_inverse, T* L_row) {
  const int whole = pivot / kChunk<T> * kChunk<T>;
  for (int i = 0; i < whole; i += kChunk<T>) store(L_row + i, load<Chunk<T>>(U_row + i) * pivot_inverse);
  if constexpr (kChunk<T> == 1) {
    L_row[pivot] = T{};
  } else {
    const Chunk<T> before_pivot = load<Chunk<T>>(kOnesThenZeros + 8 - (pivot - whole));
    store(L_row + whole, load<Chunk<T>>(U_row + whole) * (before_pivot * pivot_inverse));
  }
}

/// Sums of outer products of rows of six, kept in registers: kRows rows of a block from row kFirst on. Of a symmetric
/// block a pack of robots needs the lower triangle only.
template <class T, int kFirst, int kRows, int kColumns, bool kSymmetric>
struct OuterSum {
  static constexpr int kChunks = (kColumns + kChunk<T> - 1) / kChunk<T>;
  static constexpr int columns(int r) { return kSymmetric && kChunk<T> == 1 ? kFirst + r + 1 : kChunks; }
  Chunk<T> v[kRows][kChunks];

  FOOTFALL_INLINE void start(const Six<T>* block) {
    forEach([&](auto r, auto c)
                FOOTFALL_INLINE_LAMBDA { v[r][c] = load<Chunk<T>>(block[kFirst + r].v + c * kChunk<T>); });
  }
  FOOTFALL_INLINE void startAtZero() {
    forEach([&](auto r, auto c) FOOTFALL_INLINE_LAMBDA { v[r][c] = Chunk<T>{}; });
  }
  /// Adds aᵀ b.
  FOOTFALL_INLINE void add(const T* a, const T* b) {
    forEach([&](auto r, auto c)
                FOOTFALL_INLINE_LAMBDA { v[r][c] += a[kFirst + r] * load<Chunk<T>>(b + c * kChunk<T>); });
  }
  /// Subtracts aᵀ b with a given entry by entry.
  template <class Entry>
  FOOTFALL_INLINE void subtract(Entry a, const T* b) {
    unrolled<kRows>([&](auto r) FOOTFALL_INLINE_LAMBDA {
      const T factor = a(kFirst + r);
      unrolled<columns(r)>([&](auto c)
                               FOOTFALL_INLINE_LAMBDA { v[r][c] -= factor * load<Chunk<T>>(b + c * kChunk<T>); });
    });
  }
  FOOTFALL_INLINE void storeTo(Six<T>* block) const {
    forEach([&](auto r, auto c) FOOTFALL_INLINE_LAMBDA { store(block[kFirst + r].v + c * kChunk<T>, v[r][c]); });
  }

 private:
  template <class F>
  static FOOTFALL_INLINE void forEach(F f) {
    unrolled<kRows>(
        [&](auto r) FOOTFALL_INLINE_LAMBDA { unrolled<columns(r)>([&](auto c) FOOTFALL_INLINE_LAMBDA { f(r, c); }); });
  }
};

/// kCount rows of a block from row kFirst on.
template <int kFirst, int kCount>
struct Rows {};

/// Calls f with the first row and the number of rows of each part of a 6 × 6 block that fits in the registers.
template <class T, bool kSymmetric, class F>
FOOTFALL_INLINE void forRowsInRegisters(F f) {
  if constexpr (kChunk<T> != 1) {
    f(Rows<0, 6>{});
  } else if constexpr (!kIsPair<Lanes>) {
    if constexpr (kSymmetric) {
      f(Rows<0, 6>{});
    } else {
      f(Rows<0, 3>{}), f(Rows<3, 3>{});
    }
  } else {
    f(Rows<0, 1>{}), f(Rows<1, 1>{}), f(Rows<2, 1>{}), f(Rows<3, 1>{}), f(Rows<4, 1>{}), f(Rows<5, 1>{});
  }
}

/// Sums of outer products of two groups of eight numbers: kRows rows of the block from row kFirst on.
template <int kFirst, int kRows>
struct EightSum {
  Lanes v[kRows];
  FOOTFALL_INLINE EightSum() : v{} {}
  FOOTFALL_INLINE void add(const double* a, const Lanes& b) {
    unrolled<kRows>([&](auto r) FOOTFALL_INLINE_LAMBDA { v[r] += a[kFirst + r] * b; });
  }
  FOOTFALL_INLINE void storeTo(double* block, int stride) const {
    unrolled<kRows>([&](auto r) FOOTFALL_INLINE_LAMBDA { store(block + (kFirst + r) * stride, v[r]); });
  }
};

/// Calls f for each part of an 8 × 8 block that fits in the registers.
template <class F>
FOOTFALL_INLINE void forEightRows(F f) {
  if constexpr (!kIsPair<Lanes>) {
    f(Rows<0, 8>{});
  } else {
    f(Rows<0, 4>{}), f(Rows<4, 4>{});
  }
}

/// Takes the contributions of all joints off the block of the base.
template <class T>
FOOTFALL_INLINE void reduceBase(const Tree& tree, Scratch<T>& w) {
  forRowsInRegisters<T, true>([&]<int kFirst, int kCount>(Rows<kFirst, kCount>) FOOTFALL_INLINE_LAMBDA {
    OuterSum<T, kFirst, kCount, 6, true> block;
    block.start(w.M_base);
    for (int k = 1; k < tree.links; ++k) {
      block.subtract([&](int i) { return undivided(w, k, i); }, w.L + w.row[k]);
    }
    block.storeTo(w.L_base);
  });
}

/// Dense LTDL of the six rows of the base.
template <class T>
FOOTFALL_INLINE void factorizeBase(Scratch<T>& w) {
  Six<T>* row = w.L_base;
  unrolled<6>([&](auto step) FOOTFALL_INLINE_LAMBDA {
    constexpr int k = 5 - step;
    const T inverse = 1.0 / row[k].v[k];
    w.D_base_inverse[k] = inverse;
    unrolled<k>([&](auto step_down) FOOTFALL_INLINE_LAMBDA {
      constexpr int i = k - 1 - step_down;
      const T factor = row[k].v[i] * inverse;
      unrolled<i + 1>([&](auto j) FOOTFALL_INLINE_LAMBDA { row[i].v[j] -= factor * row[k].v[j]; });
      row[k].v[i] = factor;
    });
  });
}

template <class T>
void factorize(const Tree& tree, Scratch<T>& w) {
  for (int i = 0; i < tree.links - 1; ++i) {
    const int k = tree.elimination[i];
    const int pivot = w.row_base + tree.depth[k];
    reduceRow(tree, w, k, pivot);
    const T* row = w.U + w.row[k];
    w.D[k] = row[pivot] + w.implicit[k];
    w.D_inverse[k] = 1.0 / w.D[k];
    scaleRow(row, pivot, w.D_inverse[k], w.L + w.row[k]);
  }
  if (!tree.floating_base) return;
  reduceBase(tree, w);
  factorizeBase(w);
}

// --- use -------------------------------------------------------------------------------------------

/// Reads a vector of the Model's order into w.x; returns the base's part.
template <class T>
FOOTFALL_INLINE Six<T> readGeneralized(const Tree& tree, Scratch<T>& w, const T* x) {
  Six<T> base{};
  for (int i = 0; i < tree.base_dofs; ++i) base.v[i] = x[i];
  for (int k = 1; k < tree.links; ++k) w.x[k] = x[tree.base_dofs + tree.dof[k]];
  return base;
}

template <class T>
FOOTFALL_INLINE void writeGeneralized(const Tree& tree, const T* joints, const Six<T>& base, T* x) {
  for (int i = 0; i < tree.base_dofs; ++i) x[i] = base.v[i];
  for (int k = 1; k < tree.links; ++k) x[tree.base_dofs + tree.dof[k]] = joints[k];
}

template <class T>
FOOTFALL_INLINE T dotSix(const T* a, const T* b) {
  return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

/// The first numbers of a row of six, in registers.
template <class T, int kEntries = 6>
struct RowSum {
  static constexpr int kChunks = (kEntries + kChunk<T> - 1) / kChunk<T>;
  Chunk<T> v[kChunks];

  FOOTFALL_INLINE RowSum() : v{} {}
  FOOTFALL_INLINE explicit RowSum(const T* from) {
    for (int c = 0; c < kChunks; ++c) v[c] = load<Chunk<T>>(from + c * kChunk<T>);
  }
  FOOTFALL_INLINE void subtract(const T& factor, const RowSum& other) {
    for (int c = 0; c < kChunks; ++c) v[c] -= factor * other.v[c];
  }
  FOOTFALL_INLINE void storeTo(Six<T>& to) const {
    for (int c = 0; c < kChunks; ++c) store(to.v + c * kChunk<T>, v[c]);
  }
};

/// x ← L⁻ᵀ x: from the tips to the base. Each joint gathers from its subtree, so that no sum waits for memory.
template <class T>
FOOTFALL_INLINE void solveInward(const Tree& tree, const Scratch<T>& w, T* x, Six<T>& base) {
  RowSum<T> sum;
  for (int k = tree.links - 1; k > 0; --k) {
    const int entry = w.row_base + tree.depth[k];
    T value = x[k];
    for (int j = tree.last[k]; j > k; --j) value -= w.L[w.row[j] + entry] * x[j];
    x[k] = value;
    if (!tree.floating_base) continue;
    sum.subtract(value, RowSum<T>(w.L + w.row[k]));
  }
  if (!tree.floating_base) return;
  Six<T> from_joints;
  sum.storeTo(from_joints);
  for (int i = 0; i < 6; ++i) base.v[i] += from_joints.v[i];
  for (int k = 5; k > 0; --k) {
    for (int i = 0; i < k; ++i) base.v[i] -= w.L_base[k].v[i] * base.v[k];
  }
}

/// x ← L⁻¹ D⁻¹ x: from the base to the tips.
template <class T>
FOOTFALL_INLINE void solveOutward(const Tree& tree, const Scratch<T>& w, T* x, Six<T>& base) {
  if (tree.floating_base) {
    for (int k = 0; k < 6; ++k) {
      base.v[k] *= w.D_base_inverse[k];
      for (int i = 0; i < k; ++i) base.v[k] -= w.L_base[k].v[i] * base.v[i];
    }
  }
  for (int k = 1; k < tree.links; ++k) {
    const T* row = w.L + w.row[k];
    T value = x[k] * w.D_inverse[k];
    if (tree.floating_base) value -= dotSix(row, base.v);
    const int* path = tree.path + tree.path_begin[k];
    for (int d = 0; d < tree.depth[k]; ++d) value -= row[w.row_base + d] * x[path[d]];
    x[k] = value;
  }
}

/// x ← (M + implicit inertia)⁻¹ x, x in the Model's order.
template <class T>
void solveMass(const Tree& tree, Scratch<T>& w, T* x) {
  Six<T> base = readGeneralized(tree, w, x);
  solveInward(tree, w, w.x, base);
  solveOutward(tree, w, w.x, base);
  writeGeneralized(tree, w.x, base, x);
}

/// y ← M x, both in the Model's order.
template <class T>
void multiplyMass(const Tree& tree, Scratch<T>& w, const T* x, T* y) {
  const Six<T> x_base = readGeneralized(tree, w, x);
  Six<T> y_base{};
  for (int r = 0; r < tree.base_dofs; ++r) y_base.v[r] = dotSix(w.M_base[r].v, x_base.v);
  for (int k = 1; k < tree.links; ++k) y[tree.base_dofs + tree.dof[k]] = T{};
  for (int k = 1; k < tree.links; ++k) {
    const T* row = w.M + w.row[k];
    const int* path = tree.path + tree.path_begin[k];
    const int depth = tree.depth[k];
    T value = row[w.row_base + depth] * w.x[k];
    for (int i = 0; i < tree.base_dofs; ++i) {
      value += row[i] * x_base.v[i];
      y_base.v[i] += row[i] * w.x[k];
    }
    for (int d = 0; d < depth; ++d) {
      value += row[w.row_base + d] * w.x[path[d]];
      y[tree.base_dofs + tree.dof[path[d]]] += row[w.row_base + d] * w.x[k];
    }
    y[tree.base_dofs + tree.dof[k]] += value;
  }
  for (int i = 0; i < tree.base_dofs; ++i) y[i] = y_base.v[i];
}

}  // namespace footfall::native::FOOTFALL_ISA

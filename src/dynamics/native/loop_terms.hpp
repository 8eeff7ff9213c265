#pragma once

#include "dynamics/native/factorization.hpp"
#include "dynamics/native/loop_factor.hpp"
#include "dynamics/native/loop_places.hpp"

/// Rows that tie links together: their Jacobian, M⁻¹ Jᵀ, J M⁻¹ Jᵀ, and what they make of a velocity. One robot; eight
/// rows are handled together, and only the joints that they depend on are visited.
namespace footfall::native::FOOTFALL_ISA {

/// A chunk of eight rows: for each coordinate of the robot eight numbers.
struct LoopChunk {
  const double* screw;
  const double* sign;
  const int *touched, *reached;
  int touched_count, reached_count;
  double *J, *Y, *X;

  FOOTFALL_INLINE LoopChunk(const LoopSet& set, int c) {
    const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(c) * set.coordinates;
    screw = set.screw + 48 * c;
    sign = set.sign + 8 * first;
    touched = set.touched + first, touched_count = set.touched_count[c];
    reached = set.reached + first, reached_count = set.reached_count[c];
    J = set.J + 8 * first, Y = set.Y + 8 * first, X = set.X + 8 * first;
  }
};

FOOTFALL_INLINE Lanes eight(const double* rows, int i) { return load<Lanes>(rows + 8 * i); }

/// Jᵀ: what the rows feel of each coordinate that moves only one of their links. The others stay zero.
FOOTFALL_INLINE void writeLoopJacobian(const Tree& tree, const Scratch<double>& w, const LoopChunk& chunk) {
  for (int t = 0; t < chunk.touched_count; ++t) {
    const int i = chunk.touched[t];
    Lanes sum;
    if (i < tree.base_dofs) {
      sum = eight(chunk.screw, i);
    } else {
      const double* S = w.S[i - tree.base_dofs + 1].v;
      sum = eight(chunk.screw, 0) * S[0];
      for (int c = 1; c < 6; ++c) sum += eight(chunk.screw, c) * S[c];
    }
    store(chunk.J + 8 * i, sum * eight(chunk.sign, i));
  }
}

/// Y = L⁻ᵀ Jᵀ: from the tips to the base.
FOOTFALL_INLINE void solveLoopsInward(const Tree& tree, const Scratch<double>& w, const LoopChunk& chunk) {
  const int joints_begin = tree.base_dofs - 1;  // joint k is coordinate joints_begin + k
  Lanes base[6] = {};
  for (int r = chunk.reached_count - 1; r >= tree.base_dofs; --r) {
    const int k = chunk.reached[r] - joints_begin;
    const int entry = w.row_base + tree.depth[k], last = tree.last[k] + joints_begin;
    Lanes y = eight(chunk.J, chunk.reached[r]);
    for (int b = r + 1; b < chunk.reached_count && chunk.reached[b] <= last; ++b) {
      y -= w.L[w.row[chunk.reached[b] - joints_begin] + entry] * eight(chunk.Y, chunk.reached[b]);
    }
    store(chunk.Y + 8 * chunk.reached[r], y);
    if (tree.base_dofs == 0) continue;
    const double* row = w.L + w.row[k];
    unrolled<6>([&](auto i) FOOTFALL_INLINE_LAMBDA { base[i] -= row[i] * y; });
  }
  if (tree.base_dofs == 0) return;
  unrolled<6>([&](auto i) FOOTFALL_INLINE_LAMBDA { base[i] += eight(chunk.J, i); });
  unrolled<5>([&](auto step) FOOTFALL_INLINE_LAMBDA {
    constexpr int k = 5 - step;
    unrolled<k>([&](auto i) FOOTFALL_INLINE_LAMBDA { base[i] -= w.L_base[k].v[i] * base[k]; });
  });
  unrolled<6>([&](auto i) FOOTFALL_INLINE_LAMBDA { store(chunk.Y + 8 * i, base[i]); });
}

/// X = L⁻¹ D⁻¹ Y: from the base to the tips.
FOOTFALL_INLINE void solveLoopsOutward(const Tree& tree, const Scratch<double>& w, const LoopChunk& chunk) {
  Lanes base[6] = {};
  if (tree.base_dofs > 0) {
    unrolled<6>([&](auto k) FOOTFALL_INLINE_LAMBDA {
      base[k] = eight(chunk.Y, k) * w.D_base_inverse[k];
      unrolled<k>([&](auto i) FOOTFALL_INLINE_LAMBDA { base[k] -= w.L_base[k].v[i] * base[i]; });
      store(chunk.X + 8 * k, base[k]);
    });
  }
  double* joints = chunk.X + 8 * (tree.base_dofs - 1);
  for (int k = 1; k < tree.links; ++k) {
    const double* row = w.L + w.row[k];
    Lanes x = eight(chunk.Y, tree.base_dofs - 1 + k) * w.D_inverse[k];
    if (tree.base_dofs > 0) unrolled<6>([&](auto i) FOOTFALL_INLINE_LAMBDA { x -= row[i] * base[i]; });
    const int* path = tree.path + tree.path_begin[k];
    for (int d = 0; d < tree.depth[k]; ++d) x -= row[w.row_base + d] * eight(joints, path[d]);
    store(joints + 8 * k, x);
  }
}

FOOTFALL_INLINE double weightOf(const Tree& tree, const Scratch<double>& w, int coordinate) {
  return coordinate < tree.base_dofs ? w.D_base_inverse[coordinate] : w.D_inverse[coordinate - tree.base_dofs + 1];
}

/// The block of G = Yᵀ D⁻¹ Y between two chunks, and its mirror image.
FOOTFALL_INLINE void writeLoopBlock(const Tree& tree, const Scratch<double>& w, const LoopSet& set, int a, int b) {
  const LoopChunk chunk_a(set, a), chunk_b(set, b);
  const int lanes = 8 * set.chunks;
  double* block = set.U + 8 * a * lanes + 8 * b;
  forEightRows([&]<int kFirst, int kRows>(Rows<kFirst, kRows>) FOOTFALL_INLINE_LAMBDA {
    EightSum<kFirst, kRows> sum;
    for (int r = 0; r < chunk_b.reached_count; ++r) {
      const int i = chunk_b.reached[r];
      sum.add(chunk_a.Y + 8 * i, eight(chunk_b.Y, i) * weightOf(tree, w, i));
    }
    sum.storeTo(block, lanes);
  });
  if (a == b) return;
  for (int r = 0; r < 8; ++r) {
    for (int c = 0; c < 8; ++c) set.U[(8 * b + c) * lanes + 8 * a + r] = block[r * lanes + c];
  }
}

/// Everything about the loops at the last update.
inline void prepareLoops(const Tree& tree, const Scratch<double>& w, LoopSet& set) {
  placeTies(w, set);
  for (int c = 0; c < set.chunks; ++c) {
    const LoopChunk chunk(set, c);
    writeLoopJacobian(tree, w, chunk);
    solveLoopsInward(tree, w, chunk);
    solveLoopsOutward(tree, w, chunk);
    for (int b = 0; b <= c; ++b) writeLoopBlock(tree, w, set, c, b);
  }
  factorizeLoops(set);
}

/// v += J x
FOOTFALL_INLINE void addLoopVelocity(const LoopSet& set, const double* x, double* v) {
  for (int c = 0; c < set.chunks; ++c) {
    const LoopChunk chunk(set, c);
    Lanes sum = load<Lanes>(v + 8 * c);
    for (int t = 0; t < chunk.touched_count; ++t) {
      const int i = chunk.touched[t];
      sum += eight(chunk.J, i) * x[set.generalized[i]];
    }
    store(v + 8 * c, sum);
  }
}

/// Halves are added until one number is left: sums of neighbours would wait for each other.
template <class V>
FOOTFALL_INLINE double sumOfLanes(const V& v) {
  if constexpr (kIsPair<V>) {
    return sumOfLanes(v.low + v.high);
  } else if constexpr (sizeof(V) == 8 * sizeof(double)) {
    return sumOfLanes(__builtin_shufflevector(v, v, 0, 1, 2, 3) + __builtin_shufflevector(v, v, 4, 5, 6, 7));
  } else if constexpr (sizeof(V) == 4 * sizeof(double)) {
    return sumOfLanes(__builtin_shufflevector(v, v, 0, 1) + __builtin_shufflevector(v, v, 2, 3));
  } else {
    return v[0] + v[1];
  }
}

/// x ← x + M⁻¹ Jᵀ λ with J x = −offset afterwards. offset and λ have one entry for each row.
inline void closeLoops(const LoopSet& set, const double* offset, double* x, double* lambda) {
  double* lanes = set.lanes;
  for (int i = 0; i < 8 * set.chunks; ++i) lanes[i] = 0.0;
  for (int r = 0; r < set.rows; ++r) lanes[set.lane[r]] = offset[r];
  addLoopVelocity(set, x, lanes);
  withChunks(set.chunks, [&](auto chunks) { solveLoops<chunks>(set, lanes); });
  for (int r = 0; r < set.rows; ++r) lambda[r] = -lanes[set.lane[r]];
  for (int i = 0; i < set.coordinates; ++i) {
    Lanes sum{};
    for (int c = 0; c < set.chunks; ++c) sum += eight(LoopChunk(set, c).X, i) * load<Lanes>(lanes + 8 * c);
    x[set.generalized[i]] -= sumOfLanes(sum);
  }
}

}  // namespace footfall::native::FOOTFALL_ISA

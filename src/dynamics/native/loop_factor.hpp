#pragma once

#include "dynamics/native/scalar.hpp"
#include "dynamics/open_loops.hpp"

/// G = J M⁻¹ Jᵀ of the loops: eliminated with diagonal pivots. Rows that depend on others are found and left out, so
/// that G x = v is solved for every v in its range.
namespace footfall::native::FOOTFALL_ISA {

/// Rows whose pivot falls below this share of the largest are taken as dependent [-].
constexpr double kDependent = 1e-11;
/// Rows that nothing can move, because prescribed joints alone move them, have a pivot of about 1e-100.
constexpr double kImmovable = 1e-50;

/// Calls f with the number of chunks as a constant where there are few, and with 0 otherwise: loops whose lengths the
/// compiler knows take half the time.
template <class F>
FOOTFALL_INLINE void withChunks(int chunks, F f) {
  switch (chunks) {
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 3:
      return f(std::integral_constant<int, 3>{});
    default:
      return f(std::integral_constant<int, 0>{});
  }
}

/// row −= factor · other
template <int kChunks>
FOOTFALL_INLINE void subtractRow(int chunks, double factor, const double* other, double* row) {
  const auto subtractChunk = [&](int c) FOOTFALL_INLINE_LAMBDA {
    store(row + 8 * c, load<Lanes>(row + 8 * c) - factor * load<Lanes>(other + 8 * c));
  };
  if constexpr (kChunks > 0) {
    unrolled<kChunks>(subtractChunk);
  } else {
    for (int c = 0; c < chunks; ++c) subtractChunk(c);
  }
}

/// The place in `open` of the row with the largest pivot.
FOOTFALL_INLINE int largestPivot(const double* U, int lanes, const int* open, int count) {
  int best = 0;
  for (int i = 1; i < count; ++i) {
    if (U[open[i] * (lanes + 1)] > U[open[best] * (lanes + 1)]) best = i;
  }
  return best;
}

FOOTFALL_INLINE double widestGap(const LoopSet& set) {
  double widest = 0.0;
  for (int r = 0; r < set.rows; ++r) widest = larger(widest, magnitude(set.gap[r]));
  return widest;
}

/// Rows stay where they are; `order` tells in which order they were eliminated. Its end holds those still to come.
template <int kChunks>
FOOTFALL_INLINE void eliminateLoops(LoopSet& set) {
  const int lanes = 8 * (kChunks > 0 ? kChunks : set.chunks);
  std::memset(set.F, 0, static_cast<std::size_t>(lanes) * lanes * sizeof(double));
  int* open = set.order;
  for (int r = 0; r < set.rows; ++r) open[r] = set.lane[r];
  double smallest = 0.0;
  const double noise = shareOfGap(set.share_of_open, widestGap(set));
  for (int r = 0; r < set.rows; ++r) set.own[open[r]] = set.U[open[r] * (lanes + 1)];
  set.in_doubt = 0;
  for (set.rank = 0; set.rank < set.rows; ++set.rank) {
    const int first = set.rank + largestPivot(set.U, lanes, open + set.rank, set.rows - set.rank);
    const int pivot = open[first];
    open[first] = open[set.rank], open[set.rank] = pivot;
    const double* pivot_row = set.U + pivot * lanes;
    if (set.rank == 0) smallest = std::fmax(kDependent * pivot_row[pivot], kImmovable);
    if (!(pivot_row[pivot] > smallest)) return;
    set.in_doubt += pivot_row[pivot] < noise * set.own[pivot];
    const double inverse = 1.0 / pivot_row[pivot];
    set.pivot_inverse[set.rank] = inverse;
    for (int i = set.rank + 1; i < set.rows; ++i) {
      double* row = set.U + open[i] * lanes;
      const double factor = pivot_row[open[i]] * inverse;
      set.F[open[i] * lanes + pivot] = factor;
      subtractRow<kChunks>(set.chunks, factor, pivot_row, row);
    }
  }
}

inline void factorizeLoops(LoopSet& set) {
  withChunks(set.chunks, [&](auto chunks) { eliminateLoops<chunks>(set); });
}

/// v ← a solution x of G x = v, zero in dependent rows.
template <int kChunks>
FOOTFALL_INLINE void solveLoops(const LoopSet& set, double* v) {
  const int lanes = 8 * (kChunks > 0 ? kChunks : set.chunks);
  for (int k = 0; k < set.rank; ++k) {
    const int pivot = set.order[k];
    const double value = v[pivot] * set.pivot_inverse[k];
    subtractRow<kChunks>(set.chunks, value, set.U + pivot * lanes, v);
    set.v[pivot] = value;
  }
  for (int i = 0; i < lanes; ++i) v[i] = 0.0;
  for (int k = 0; k < set.rank; ++k) v[set.order[k]] = set.v[set.order[k]];
  for (int k = set.rank - 1; k > 0; --k) {
    subtractRow<kChunks>(set.chunks, v[set.order[k]], set.F + set.order[k] * lanes, v);
  }
}

}  // namespace footfall::native::FOOTFALL_ISA

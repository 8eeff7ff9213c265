// Compiled once for each instruction set; FOOTFALL_ISA names the namespace.
#include "solver/native/sticking_kernel.hpp"

#include "footfall/simd/internal/registers.hpp"

namespace footfall::FOOTFALL_ISA {
namespace {

using namespace simd::FOOTFALL_ISA;

FOOTFALL_INLINE int triangle(int row) { return row * (row + 1) / 2; }

template <class T>
FOOTFALL_INLINE T rootOf(const T& x) {
  if constexpr (kIsPair<T>) {
    return {rootOf(x.low), rootOf(x.high)};
  } else {
    return squareRoot(x);
  }
}

/// Entries (row, first) to (row, first + kColumns − 1) of L: sums that do not wait for each other, and each entry of
/// the row is read once for all of them.
template <int kColumns>
FOOTFALL_INLINE void factoriseTile(int row, int first, const Lanes* G, const Lanes* part, const Lanes& compliance,
                                   Lanes* L, Lanes* inverse) {
  Lanes* own = L + triangle(row);
  Lanes sum[kColumns];
  const Lanes* other[kColumns];
  for (int c = 0; c < kColumns; ++c) {
    sum[c] = part[row] * part[first + c] * G[first + c];
    other[c] = L + triangle(first + c);
  }
  if (first + kColumns > row) sum[kColumns - 1] += part[row] * compliance + (1.0 - part[row]);
  for (int k = 0; k < first; ++k) {
    const Lanes factor = own[k];
    for (int c = 0; c < kColumns; ++c) sum[c] = sum[c] - factor * other[c][k];
  }
  for (int c = 0; c < kColumns; ++c) {
    const int column = first + c;
    for (int k = 0; k < c; ++k) sum[c] = sum[c] - own[first + k] * other[c][first + k];
    if (column < row) {
      own[column] = sum[c] * inverse[column];
    } else {
      own[column] = rootOf(sum[c]);
      inverse[column] = 1.0 / own[column];
    }
  }
}

void factoriseLanes(int rows, const Lanes* G, const Lanes* part, const Lanes& compliance, Lanes* L, Lanes* inverse) {
  for (int row = 0; row < rows; ++row) {
    const Lanes* G_row = G + row * rows;
    int first = 0;
    for (; first + 4 <= row + 1; first += 4) factoriseTile<4>(row, first, G_row, part, compliance, L, inverse);
    if (first + 2 <= row + 1) {
      factoriseTile<2>(row, first, G_row, part, compliance, L, inverse);
      first += 2;
    }
    if (first <= row) factoriseTile<1>(row, first, G_row, part, compliance, L, inverse);
  }
}

void solveLanes(int rows, const Lanes* L, const Lanes* inverse, const Lanes* part, const Lanes* b, Lanes* p) {
  for (int row = 0; row < rows; ++row) {
    const Lanes* own = L + triangle(row);
    Lanes even = -(part[row] * b[row]), odd{};
    int k = 0;
    for (; k + 2 <= row; k += 2) {
      even = even - own[k] * p[k];
      odd = odd - own[k + 1] * p[k + 1];
    }
    if (k < row) even = even - own[k] * p[k];
    p[row] = (even + odd) * inverse[row];
  }
  for (int row = rows - 1; row >= 0; --row) {
    const Lanes* own = L + triangle(row);
    p[row] = p[row] * inverse[row];
    for (int k = 0; k < row; ++k) p[k] = p[k] - own[k] * p[row];
  }
  for (int row = 0; row < rows; ++row) p[row] = part[row] * p[row];
}

/// Four rows at once.
template <int kRows>
FOOTFALL_INLINE void velocityOfRows(int first, int rows, const Lanes* G, const Lanes* b, const Lanes* p, Lanes* v) {
  Lanes sum[kRows];
  for (int r = 0; r < kRows; ++r) sum[r] = b[first + r];
  for (int k = 0; k < rows; ++k) {
    const Lanes impulse = p[k];
    for (int r = 0; r < kRows; ++r) sum[r] = sum[r] + G[(first + r) * rows + k] * impulse;
  }
  for (int r = 0; r < kRows; ++r) v[first + r] = sum[r];
}

void velocityLanes(int rows, const Lanes* G, const Lanes* b, const Lanes* p, Lanes* v) {
  for (int row = 0; row < rows; row += 3) velocityOfRows<3>(row, rows, G, b, p, v);
}

// Lanes and ProblemPack are the same eight numbers in memory.
const Lanes* in(const ProblemPack* packs) { return reinterpret_cast<const Lanes*>(packs); }
Lanes* out(ProblemPack* packs) { return reinterpret_cast<Lanes*>(packs); }

void factorise(int rows, const ProblemPack* G, const ProblemPack* part, const ProblemPack& compliance, ProblemPack* L,
               ProblemPack* inverse) {
  factoriseLanes(rows, in(G), in(part), *in(&compliance), out(L), out(inverse));
}
void solve(int rows, const ProblemPack* L, const ProblemPack* inverse, const ProblemPack* part, const ProblemPack* b,
           ProblemPack* p) {
  solveLanes(rows, in(L), in(inverse), in(part), in(b), out(p));
}
void velocity(int rows, const ProblemPack* G, const ProblemPack* b, const ProblemPack* p, ProblemPack* v) {
  velocityLanes(rows, in(G), in(b), in(p), out(v));
}

}  // namespace

extern const StickingKernel sticking_kernel{factorise, solve, velocity};

}  // namespace footfall::FOOTFALL_ISA

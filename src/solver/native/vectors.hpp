#pragma once

#include <cstddef>

#include "footfall/simd/internal/arena.hpp"
#include "footfall/simd/internal/registers.hpp"
#include "solver/native/constants.hpp"
#include "solver/native/kernel.hpp"

namespace footfall::FOOTFALL_ISA {

using namespace simd::FOOTFALL_ISA;
using simd::Pack;

inline void copyVector(const double* from, double* to, int count) {
  for (int k = 0; k < count; ++k) to[k] = from[k];
}

inline void setZero(double* to, int count) {
  for (int k = 0; k < count; ++k) to[k] = 0.0;
}

/// In pairs, which takes a third of the time of one lane after the other.
template <class P>
inline double sumOfLanes(const P& pack) {
  constexpr int kLanes = sizeof(P) / sizeof(double);
  double sums[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) sums[lane] = pack[lane];
  for (int half = kLanes / 2; half > 0; half /= 2)
    for (int lane = 0; lane < half; ++lane) sums[lane] += sums[lane + half];
  return sums[0];
}

/// sum of a[k] b[k]; both are padded with zeros to whole packs.
template <int kLanes = kNativeLanes>
inline double dotProduct(const double* a, const double* b, int count) {
  using P = Pack<kLanes>;
  P sum{};
  for (int k = 0; k < count; k += kLanes) sum += load<P>(a + k) * load<P>(b + k);
  double total = 0.0;
  for (int lane = 0; lane < kLanes; ++lane) total += sum[lane];
  return total;
}

/// to += factor · from
template <int kLanes = kNativeLanes>
inline void addMultiple(double factor, const double* from, double* to, int count) {
  using P = Pack<kLanes>;
  for (int k = 0; k < count; k += kLanes) store(to + k, load<P>(to + k) + factor * load<P>(from + k));
}

}  // namespace footfall::FOOTFALL_ISA

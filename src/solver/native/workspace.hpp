#pragma once

#include <cstddef>

#include "solver/native/constants.hpp"
#include "solver/native/kernel.hpp"
#include "solver/native/pack.hpp"

namespace footfall::FOOTFALL_ISA {

/// Hands out pieces of the scratch memory, each starting at a cache line.
class Arena {
 public:
  explicit Arena(double* begin) : next_(begin) {}
  double* doubles(std::size_t count) {
    double* piece = next_;
    next_ += (count + 7) / 8 * 8;
    return piece;
  }
  int* integers(std::size_t count) { return reinterpret_cast<int*>(doubles((count + 1) / 2)); }
  double** pointers(std::size_t count) { return reinterpret_cast<double**>(doubles(count)); }

 private:
  double* next_;
};

inline void copyVector(const double* from, double* to, int count) {
  for (int k = 0; k < count; ++k) to[k] = from[k];
}

inline void setZero(double* to, int count) {
  for (int k = 0; k < count; ++k) to[k] = 0.0;
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

#pragma once

/// Numbers side by side, as the compiler's vector types: plain data that may cross the border between code that is
/// compiled for every machine and kernels that are compiled for one. What is computed with them: registers.hpp.
namespace footfall::simd {

template <int kLanes>
struct PackOf;
template <>
struct PackOf<2> {
  typedef double Type __attribute__((vector_size(16)));
};
template <>
struct PackOf<4> {
  typedef double Type __attribute__((vector_size(32)));
};
template <>
struct PackOf<8> {
  typedef double Type __attribute__((vector_size(64)));
};

template <int kLanes>
using Pack = typename PackOf<kLanes>::Type;

}  // namespace footfall::simd

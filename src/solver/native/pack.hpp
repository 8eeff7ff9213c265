#pragma once

// A few doubles in one vector register. Every function works for one double too, so that the friction laws are
// written once. Included by kernel.cpp only, which is compiled once for each instruction set.

namespace footfall::FOOTFALL_ISA {

#if defined(__AVX512F__)
constexpr int kNativeLanes = 8;
#elif defined(__AVX__)
constexpr int kNativeLanes = 4;
#else
constexpr int kNativeLanes = 2;
#endif

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
using NativePack = Pack<kNativeLanes>;

template <class P>
inline P load(const double* from) {
  P pack;
  __builtin_memcpy(&pack, from, sizeof(P));
  return pack;
}

template <class P>
inline void store(double* to, P pack) {
  __builtin_memcpy(to, &pack, sizeof(P));
}

template <class P>
inline P splat(double x) {
  return P{} + x;
}

/// 0, 1, 2, …
template <class P>
inline P laneNumbers() {
  double numbers[sizeof(P) / sizeof(double)];
  for (unsigned lane = 0; lane < sizeof(P) / sizeof(double); ++lane) numbers[lane] = lane;
  return load<P>(numbers);
}

/// a where the condition holds, b elsewhere.
template <class Condition, class Real>
inline Real choose(Condition condition, Real a, Real b) {
  return condition ? a : b;
}

template <class Real>
inline Real larger(Real a, Real b) {
  return choose(a > b, a, b);
}

template <class Real>
inline Real smaller(Real a, Real b) {
  return choose(a < b, a, b);
}

template <class Real>
inline Real magnitude(Real a) {
  return larger(a, -a);
}

inline double squareRoot(double x) { return __builtin_sqrt(x); }

template <class P>
inline P squareRoot(P x) {
  P root;
  for (unsigned lane = 0; lane < sizeof(P) / sizeof(double); ++lane) root[lane] = __builtin_sqrt(x[lane]);
  return root;
}

inline double infinity() { return __builtin_inf(); }

}  // namespace footfall::FOOTFALL_ISA

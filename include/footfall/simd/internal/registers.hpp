#pragma once

#include <cstddef>

#include "footfall/simd/internal/pack.hpp"

#define FOOTFALL_INLINE inline __attribute__((always_inline))
#define FOOTFALL_INLINE_LAMBDA __attribute__((always_inline))

/// Vectors that the instruction set has registers for, and what is computed with them. Every function works for one
/// double too, so that what is written with them is written once. For kernels only: they are compiled once for each
/// instruction set, each in a namespace of its own (footfall_kernel() in CMake).
namespace footfall::simd::FOOTFALL_ISA {

// --- widths ----------------------------------------------------------------------------------------

#if defined(__AVX512F__)
constexpr int kNativeLanes = 8;
#elif defined(__AVX__)
constexpr int kNativeLanes = 4;
#else
constexpr int kNativeLanes = 2;
#endif

/// As many numbers as one register holds.
using NativePack = Pack<kNativeLanes>;

/// Two vectors that act as one of twice the width. The compiler accepts vectors wider than a register, but keeps them
/// in memory: on AVX2 that took four times as long. Halves are copied one by one: left to itself, the compiler copies
/// the whole in pieces narrower than a register, and reading a register right after narrow stores waits for them.
/// Aligned as the vector that it stands for, because others lay out the same structs with vectors: to its size, but on
/// 64-bit ARM to 16 bytes. (`alignof` says 16 on x86-64, too, where structs do otherwise.)
template <class Half>
struct alignas(__alignof__(Pack<2 * sizeof(Half) / sizeof(double)>)) Pair {
  Half low, high;

  Pair() = default;
  FOOTFALL_INLINE Pair(const Half& l, const Half& h) : low(l), high(h) {}
  FOOTFALL_INLINE Pair(const Pair& other) : low(other.low), high(other.high) {}
  FOOTFALL_INLINE Pair& operator=(const Pair& other) {
    low = other.low, high = other.high;
    return *this;
  }
};

/// Lanes: eight numbers, HalfLanes: four; both in as many registers as it takes.
#if defined(__AVX512F__)
using HalfLanes = Pack<4>;
using Lanes = Pack<8>;
#elif defined(__AVX__)
using HalfLanes = Pack<4>;
using Lanes = Pair<Pack<4>>;
#else
using HalfLanes = Pair<Pack<2>>;
using Lanes = Pair<HalfLanes>;
#endif
template <class Vector>
struct BehindAPointer {
  void* pointer;
  Vector vector;
};
static_assert(sizeof(Lanes) == sizeof(Pack<8>));
static_assert(offsetof(BehindAPointer<Lanes>, vector) == offsetof(BehindAPointer<Pack<8>>, vector));
static_assert(offsetof(BehindAPointer<HalfLanes>, vector) == offsetof(BehindAPointer<Pack<4>>, vector));

template <class T>
constexpr bool kIsPair = false;
template <class Half>
constexpr bool kIsPair<Pair<Half>> = true;

// --- arithmetic of pairs ---------------------------------------------------------------------------

#define FOOTFALL_PAIR_OPERATOR(op)                                                   \
  template <class Half>                                                              \
  FOOTFALL_INLINE Pair<Half> operator op(const Pair<Half>& a, const Pair<Half>& b) { \
    return {a.low op b.low, a.high op b.high};                                       \
  }                                                                                  \
  template <class Half>                                                              \
  FOOTFALL_INLINE Pair<Half> operator op(const Pair<Half>& a, double b) {            \
    return {a.low op b, a.high op b};                                                \
  }                                                                                  \
  template <class Half>                                                              \
  FOOTFALL_INLINE Pair<Half> operator op(double a, const Pair<Half>& b) {            \
    return {a op b.low, a op b.high};                                                \
  }                                                                                  \
  template <class Half, class Other>                                                 \
  FOOTFALL_INLINE Pair<Half>& operator op##=(Pair<Half>& a, const Other& b) {        \
    return a = a op b;                                                               \
  }
FOOTFALL_PAIR_OPERATOR(+)
FOOTFALL_PAIR_OPERATOR(-)
FOOTFALL_PAIR_OPERATOR(*)
FOOTFALL_PAIR_OPERATOR(/)
#undef FOOTFALL_PAIR_OPERATOR

template <class Half>
FOOTFALL_INLINE Pair<Half> operator-(const Pair<Half>& a) {
  return {-a.low, -a.high};
}

// --- memory ----------------------------------------------------------------------------------------

/// A vector from `from` on; no alignment needed.
template <class Vector>
FOOTFALL_INLINE Vector load(const double* from) {
  if constexpr (kIsPair<Vector>) {
    using Half = decltype(Vector::low);
    return {load<Half>(from), load<Half>(from + sizeof(Half) / sizeof(double))};
  } else {
    Vector v;
    __builtin_memcpy(&v, from, sizeof(Vector));
    return v;
  }
}

template <class Vector>
FOOTFALL_INLINE void store(double* to, const Vector& v) {
  if constexpr (kIsPair<Vector>) {
    store(to, v.low);
    store(to + sizeof(v.low) / sizeof(double), v.high);
  } else {
    __builtin_memcpy(to, &v, sizeof(Vector));
  }
}

/// The same where memory already holds vectors.
template <class Vector>
FOOTFALL_INLINE Vector load(const Vector* from) {
  return *from;
}

template <class Vector>
FOOTFALL_INLINE void store(Vector* to, const Vector& v) {
  *to = v;
}

/// The same number in every lane.
template <class T>
FOOTFALL_INLINE T broadcast(double s) {
  if constexpr (kIsPair<T>) {
    using Half = decltype(T::low);
    return {broadcast<Half>(s), broadcast<Half>(s)};
  } else if constexpr (sizeof(T) == sizeof(double)) {
    return s;
  } else if constexpr (sizeof(T) == 2 * sizeof(double)) {
    return T{s, s};
  } else if constexpr (sizeof(T) == 4 * sizeof(double)) {
    return T{s, s, s, s};
  } else {
    return T{s, s, s, s, s, s, s, s};
  }
}

/// 0, 1, 2, …
template <class P>
FOOTFALL_INLINE P laneNumbers() {
  double numbers[sizeof(P) / sizeof(double)];
  for (unsigned lane = 0; lane < sizeof(P) / sizeof(double); ++lane) numbers[lane] = lane;
  return load<P>(numbers);
}

/// Three numbers, then zeros.
template <class Vector>
FOOTFALL_INLINE Vector threeThenZeros(double x, double y, double z) {
  if constexpr (!kIsPair<Vector>) {
    return Vector{x, y, z};
  } else {
    using Half = decltype(Vector::low);
    if constexpr (sizeof(Half) > 2 * sizeof(double)) {
      return {threeThenZeros<Half>(x, y, z), Half{}};
    } else {
      return {Half{x, y}, Half{z, 0.0}};
    }
  }
}

// --- masks -----------------------------------------------------------------------------------------

/// a where the condition holds, b elsewhere.
template <class Condition, class Real>
FOOTFALL_INLINE Real choose(Condition condition, Real a, Real b) {
  return condition ? a : b;
}

template <class Real>
FOOTFALL_INLINE Real larger(Real a, Real b) {
  return choose(a > b, a, b);
}

template <class Real>
FOOTFALL_INLINE Real smaller(Real a, Real b) {
  return choose(a < b, a, b);
}

template <class Real>
FOOTFALL_INLINE Real magnitude(Real a) {
  return larger(a, -a);
}

FOOTFALL_INLINE double squareRoot(double x) { return __builtin_sqrt(x); }

template <class P>
FOOTFALL_INLINE P squareRoot(P x) {
  P root;
  for (unsigned lane = 0; lane < sizeof(P) / sizeof(double); ++lane) root[lane] = __builtin_sqrt(x[lane]);
  return root;
}

template <class Half>
FOOTFALL_INLINE Pair<Half> squareRoot(const Pair<Half>& x) {
  return {squareRoot(x.low), squareRoot(x.high)};
}

FOOTFALL_INLINE double infinity() { return __builtin_inf(); }

}  // namespace footfall::simd::FOOTFALL_ISA

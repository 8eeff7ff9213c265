#pragma once

#include <cstring>

#include "dynamics/native/types.hpp"

#define FOOTFALL_INLINE inline __attribute__((always_inline))
#define FOOTFALL_INLINE_LAMBDA __attribute__((always_inline))

/// Eight numbers side by side, made of the vectors that the instruction set has registers for. The compiler accepts
/// wider ones, but keeps them in memory: on AVX2 that took four times as long.
namespace footfall::native::FOOTFALL_ISA {

/// Two vectors that act as one of twice the width. They are copied one by one: left to itself, the compiler copies the
/// whole in pieces narrower than a register, and reading a register right after narrow stores waits for them.
template <class Half>
struct alignas(2 * sizeof(Half)) Pair {
  Half low, high;

  Pair() = default;
  FOOTFALL_INLINE Pair(const Half& l, const Half& h) : low(l), high(h) {}
  FOOTFALL_INLINE Pair(const Pair& other) : low(other.low), high(other.high) {}
  FOOTFALL_INLINE Pair& operator=(const Pair& other) {
    low = other.low, high = other.high;
    return *this;
  }
};

/// Register: as many numbers as one register holds. Lanes: eight numbers, HalfLanes: four.
#if defined(__AVX512F__)
using Register = Pack;
using HalfLanes = HalfPack;
using Lanes = Pack;
#elif defined(__AVX__)
using Register = HalfPack;
using HalfLanes = HalfPack;
using Lanes = Pair<HalfPack>;
#else
using Register = double __attribute__((vector_size(16)));
using HalfLanes = Pair<Register>;
using Lanes = Pair<HalfLanes>;
#endif
static_assert(sizeof(Lanes) == sizeof(Pack) && alignof(Lanes) == sizeof(Pack));

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

template <class T>
constexpr bool kIsPair = false;
template <class Half>
constexpr bool kIsPair<Pair<Half>> = true;

/// A vector from `from` on; no alignment needed.
template <class Vector>
FOOTFALL_INLINE Vector load(const double* from) {
  if constexpr (kIsPair<Vector>) {
    using Half = decltype(Vector::low);
    return {load<Half>(from), load<Half>(from + sizeof(Half) / sizeof(double))};
  } else {
    Vector v;
    std::memcpy(&v, from, sizeof(Vector));
    return v;
  }
}

template <class Vector>
FOOTFALL_INLINE void store(double* to, const Vector& v) {
  if constexpr (kIsPair<Vector>) {
    store(to, v.low);
    store(to + sizeof(v.low) / sizeof(double), v.high);
  } else {
    std::memcpy(to, &v, sizeof(Vector));
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

}  // namespace footfall::native::FOOTFALL_ISA

namespace footfall::native {

/// Pairs stand for robots as packs do.
template <class Half>
struct Width<FOOTFALL_ISA::Pair<Half>> : Width<Pack> {};

}  // namespace footfall::native

#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "dynamics/native/types.hpp"

#define FOOTFALL_INLINE inline __attribute__((always_inline))

/// Arithmetic that is the same for one robot and for a pack of robots.
namespace footfall::native::FOOTFALL_ISA {

template <class T>
FOOTFALL_INLINE T broadcast(double s) {
  if constexpr (sizeof(T) == sizeof(double)) {
    return s;
  } else if constexpr (sizeof(T) == sizeof(HalfPack)) {
    return T{s, s, s, s};
  } else {
    return T{s, s, s, s, s, s, s, s};
  }
}

template <class T>
FOOTFALL_INLINE T broadcast(Pack s) {
  static_assert(sizeof(T) == sizeof(Pack));
  return s;
}

/// Neighbouring entries of a row that are handled by one instruction.
template <class T>
using Chunk = Pack;  // one robot: eight entries; eight robots: one entry

template <class Vector, class T>
FOOTFALL_INLINE Vector load(const T* from) {
  Vector v;
  std::memcpy(&v, from, sizeof(Vector));
  return v;
}

template <class Vector, class T>
FOOTFALL_INLINE void store(T* to, const Vector& v) {
  std::memcpy(to, &v, sizeof(Vector));
}

/// Largest angle that the two-part reduction below brings to [-π/4, π/4] without loss [rad].
constexpr double kLargestReducedAngle = 1.0e5;

/// Sine and cosine without branches: Cody and Waite's reduction, fdlibm's polynomials; within one unit in the last
/// place.
FOOTFALL_INLINE void sineCosine(Pack angle, Pack& sine, Pack& cosine) {
  using Integers = std::int64_t __attribute__((vector_size(64)));
  constexpr double kRounder = 6755399441055744.0;  // 1.5 · 2⁵²: adding it leaves the nearest integer in the low bits
  const Pack shifted = angle * 0.63661977236758134308 + kRounder;
  const Integers quadrant = __builtin_bit_cast(Integers, shifted);
  const Pack n = shifted - kRounder;
  const Pack r = (angle - n * 1.57079632673412561417e+00) - n * 6.07710050650619224932e-11;
  const Pack z = r * r;
  const Pack s = r + r * z *
                         (z * (z * (z * (z * (z * 1.58969099521155010221e-10 - 2.50507602534068634195e-08) +
                                         2.75573137070700676789e-06) -
                                    1.98412698298579493134e-04) +
                               8.33333333332248946124e-03) -
                          1.66666666666666324348e-01);
  const Pack c = 1.0 - z * 0.5 +
                 z * z *
                     (z * (z * (z * (z * (z * -1.13596475577881948265e-11 + 2.08757232129817482790e-09) -
                                     2.75573143513906633035e-07) +
                                2.48015872894767294178e-05) -
                           1.38888888888741095749e-03) +
                      4.16666666666666019037e-02);
  const Integers swapped = (quadrant & 1) != 0;
  const Pack a = swapped ? c : s;
  const Pack b = swapped ? s : c;
  sine = (quadrant & 2) != 0 ? -a : a;
  cosine = ((quadrant + 1) & 2) != 0 ? -b : b;
}

/// A joint that has turned thousands of times is rare: it takes the slow way.
inline void correctLargeAngles(int count, const double* angle, double* sine, double* cosine) {
  for (int i = 0; i < count; ++i) {
    if (!(std::fabs(angle[i]) > kLargestReducedAngle)) continue;
    sine[i] = std::sin(angle[i]);
    cosine[i] = std::cos(angle[i]);
  }
}

/// For `count` numbers; the arrays are padded to whole packs.
inline void sineCosine(int count, const double* angle, double* sine, double* cosine) {
  double largest = 0.0;
  for (int i = 0; i < count; i += 8) {
    Pack s, c;
    const Pack a = load<Pack>(angle + i);
    sineCosine(a, s, c);
    store(sine + i, s);
    store(cosine + i, c);
    const Pack excess = (a > kLargestReducedAngle) | (a < -kLargestReducedAngle) ? Pack{} + 1.0 : Pack{};
    largest +=
        ((excess[0] + excess[1]) + (excess[2] + excess[3])) + ((excess[4] + excess[5]) + (excess[6] + excess[7]));
  }
  if (largest > 0.0) correctLargeAngles(count, angle, sine, cosine);
}

}  // namespace footfall::native::FOOTFALL_ISA

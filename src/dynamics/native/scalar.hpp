#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "dynamics/native/types.hpp"
#include "footfall/simd/internal/registers.hpp"

namespace footfall::native {

/// Pairs stand for robots as packs do.
template <class Half>
struct Width<simd::FOOTFALL_ISA::Pair<Half>> : Width<RobotPack> {};

}  // namespace footfall::native

/// Arithmetic that is the same for one robot and for a pack of robots.
namespace footfall::native::FOOTFALL_ISA {

using namespace simd::FOOTFALL_ISA;

/// Calls f with the constants 0, 1, … The compiler keeps an array in registers only where it sees constants as indices.
template <int kCount, int kFirst = 0, class F>
FOOTFALL_INLINE void unrolled(F f) {
  if constexpr (kFirst < kCount) {
    f(std::integral_constant<int, kFirst>{});
    unrolled<kCount, kFirst + 1>(f);
  }
}

/// Neighbouring entries of a row that are handled together. One robot: eight entries; eight robots: one entry.
template <class T>
using Chunk = Lanes;

/// Largest angle that the two-part reduction below brings to [-π/4, π/4] without loss [rad].
constexpr double kLargestReducedAngle = 1.0e5;

/// Sine and cosine without branches: Cody and Waite's reduction, fdlibm's polynomials; within one unit in the last
/// place.
FOOTFALL_INLINE void sineCosine(NativePack angle, NativePack& sine, NativePack& cosine) {
  using Integers = std::int64_t __attribute__((vector_size(sizeof(NativePack))));
  constexpr double kRounder = 6755399441055744.0;  // 1.5 · 2⁵²: adding it leaves the nearest integer in the low bits
  const NativePack shifted = angle * 0.63661977236758134308 + kRounder;
  const Integers quadrant = __builtin_bit_cast(Integers, shifted);
  const NativePack n = shifted - kRounder;
  const NativePack r = (angle - n * 1.57079632673412561417e+00) - n * 6.07710050650619224932e-11;
  const NativePack z = r * r;
  const NativePack s = r + r * z *
                               (z * (z * (z * (z * (z * 1.58969099521155010221e-10 - 2.50507602534068634195e-08) +
                                               2.75573137070700676789e-06) -
                                          1.98412698298579493134e-04) +
                                     8.33333333332248946124e-03) -
                                1.66666666666666324348e-01);
  const NativePack c = 1.0 - z * 0.5 +
                       z * z *
                           (z * (z * (z * (z * (z * -1.13596475577881948265e-11 + 2.08757232129817482790e-09) -
                                           2.75573143513906633035e-07) +
                                      2.48015872894767294178e-05) -
                                 1.38888888888741095749e-03) +
                            4.16666666666666019037e-02);
  const Integers swapped = (quadrant & 1) != 0;
  const NativePack a = swapped ? c : s;
  const NativePack b = swapped ? s : c;
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
  constexpr int kNumbers = sizeof(NativePack) / sizeof(double);
  NativePack beyond{};  // counts the angles that need the slow way, lane by lane
  for (int i = 0; i < count; i += kNumbers) {
    NativePack s, c;
    const NativePack a = load<NativePack>(angle + i);
    sineCosine(a, s, c);
    store(sine + i, s);
    store(cosine + i, c);
    beyond += ((a > kLargestReducedAngle) | (a < -kLargestReducedAngle)) ? NativePack{} + 1.0 : NativePack{};
  }
  double count_beyond = 0.0;
  for (int i = 0; i < kNumbers; ++i) count_beyond += beyond[i];
  if (count_beyond > 0.0) correctLargeAngles(count, angle, sine, cosine);
}

}  // namespace footfall::native::FOOTFALL_ISA

#pragma once

#include <algorithm>

#include "footfall/terrain/terrain.hpp"

namespace footfall {

constexpr double kRecoveryShare = 0.1;               ///< of a penetration, taken back in one step [-]
constexpr double kTouchingGap = Terrain::kTouching;  ///< a contact nearer than this is closed [m]

/// What is added to the normal velocity so that a contact ends the step on the surface and not inside it [m/s]:
/// v_n + gap/dt >= 0. What is already inside comes out slowly, so that no energy worth mentioning is made. Continuous:
/// a jump would make forces jump where a gap wavers around it.
inline double gapVelocity(double gap, double dt) { return (gap >= 0.0 ? gap : kRecoveryShare * gap) / dt; }

/// The same for a contact that is closed and stays closed on the level of velocities: what is left of a gap, on either
/// side of zero, goes slowly, and a deep one with a bounded speed.
inline double closedGapVelocity(double gap, double dt) {
  constexpr double kFastestRecovery = 0.01;  // [m/s or rad/s]
  return std::max(kRecoveryShare * std::min(gap, kTouchingGap) / dt, -kFastestRecovery);
}

/// The same where bodies press on each other: no motion closes all that is left of gaps between many of them, and a heap
/// that tries never comes to rest. So these stay, and only what is inside comes out.
inline double heapGapVelocity(double gap, double dt) { return closedGapVelocity(std::min(gap, 0.0), dt); }

/// What of a joint's gap to its limit is taken back. Rows of limits do not curve: in a run a joint is never farther
/// outside than rounding. One that starts outside is not pushed back, because that would make energy: the limit is then
/// where the joint is, and it can only come back.
inline double recoveredLimitGap(double gap) {
  constexpr double kRecovered = 1e-5;  // fades out until twice as far outside [rad or m]
  return gap >= -kRecovered ? gap : std::min(-2.0 * kRecovered - gap, 0.0);
}

}  // namespace footfall

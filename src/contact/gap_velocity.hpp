#pragma once

#include <algorithm>

namespace footfall {

/// What is added to the normal velocity so that a contact ends the step on the surface and not inside it [m/s]:
/// v_n + gap/dt >= 0. What is already inside comes out slowly, so that no energy worth mentioning is made.
inline double gapVelocity(double gap, double dt) {
  constexpr double kRecoveryShare = 0.1;  // of a penetration, taken back in one step
  constexpr double kAllowedDepth = 1e-6;  // left alone: lifting a robot out of it would only make energy [m]
  if (gap >= 0.0) return gap / dt;
  return kRecoveryShare * std::min(gap + kAllowedDepth, 0.0) / dt;
}

}  // namespace footfall

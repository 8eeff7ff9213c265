#pragma once

namespace footfall {

/// What lookAt(x) sees where a slope turns from below to above zero, between a place where it falls and one beyond it
/// where it rises: regula falsi, of which an end that stays counts half (Illinois). Where slopes jump it is the jump.
/// @param last what was seen at `right`
/// @param slopeOf of what lookAt() gives
/// @param isEnough of what was seen last, and how far apart the two ends still are
template <class Probe, class LookAt, class SlopeOf, class IsEnough>
Probe whereSlopeTurns(double left, double fall, double right, double rise, Probe last, const LookAt& lookAt,
                      const SlopeOf& slopeOf, const IsEnough& isEnough) {
  constexpr int kMostSteps = 40;
  for (int k = 0, stays = 0; k < kMostSteps && !isEnough(last, right - left); ++k) {
    const double x = left + fall / (fall - rise) * (right - left);
    last = lookAt(x);
    const double slope = slopeOf(last);
    if (slope < 0.0) {
      left = x;
      fall = slope;
      if (stays > 0) rise *= 0.5;
      stays = 1;
    } else {
      right = x;
      rise = slope;
      if (stays < 0) fall *= 0.5;
      stays = -1;
    }
  }
  return last;
}

}  // namespace footfall

#pragma once

#include <algorithm>
#include <cmath>

namespace footfall {

/// Steps of length dt that reach the end of a time span: counted beforehand, so that rounding of the clock neither adds
/// nor drops one. More than can be counted are as many as can be: such a run ends when somebody ends it.
inline long long stepsWithin(double seconds, double dt) {
  constexpr double kMost = 9e18;
  return static_cast<long long>(std::clamp(std::ceil(seconds / dt - 1e-6), 0.0, kMost));
}

}  // namespace footfall

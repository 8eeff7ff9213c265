#pragma once

#include <algorithm>
#include <cmath>

namespace footfall {

/// Steps of length dt that reach the end of a time span: counted beforehand, so that rounding of the clock neither adds
/// nor drops one.
inline long long stepsWithin(double seconds, double dt) {
  return std::max(0LL, static_cast<long long>(std::ceil(seconds / dt - 1e-6)));
}

}  // namespace footfall

#pragma once

#include <algorithm>
#include <cmath>

#include "footfall/terrain/ray_cast.hpp"

namespace footfall {

/// The first place t in (from, limit) at which a function falls below zero; `limit` where it does not.
///
/// @param at      the function; above zero at `from`
/// @param advance how far one may go from a value without meeting its zero; less than kRayStep counts as kRayStep
template <class Function, class Advance>
double firstZero(double from, double limit, const Function& at, const Advance& advance) {
  double outside = from;
  for (double value = at(from); outside < limit;) {
    const double inside = std::min(outside + std::max(advance(value), kRayStep), limit);
    value = at(inside);
    if (std::isnan(value)) return limit;
    if (value <= 0.0) {
      double low = outside, high = inside;
      for (int k = 0; k < 60 && high - low > 1e-13 * std::max(1.0, high); ++k) {
        const double middle = 0.5 * (low + high);
        (at(middle) <= 0.0 ? high : low) = middle;
      }
      return high;
    }
    outside = inside;
  }
  return limit;
}

}  // namespace footfall

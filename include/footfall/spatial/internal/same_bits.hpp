#pragma once

#include <cstring>

#include "footfall/spatial/pose.hpp"

namespace footfall {

/// Of the same size, and the same to the bit: 0 and −0 differ, and not-a-number equals itself.
inline bool sameBits(const VectorXd& a, const VectorXd& b) {
  if (a.size() != b.size()) return false;
  return a.size() == 0 || std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
}

}  // namespace footfall

#pragma once

#include <algorithm>
#include <span>

#include "footfall/terrain/terrain.hpp"

namespace footfall {

/// Inserts a face before the first one that `isBefore(face, other)`; drops the last one when the list is full.
/// Returns the new number of faces.
template <class Before>
int insertFace(std::span<SurfacePoint> list, int count, const SurfacePoint& face, Before isBefore) {
  if (list.empty()) return 0;
  const auto end = list.begin() + count;
  const auto place = std::find_if(list.begin(), end, [&](const SurfacePoint& other) { return isBefore(face, other); });
  if (place == list.end()) return count;
  const auto kept = list.begin() + std::min<std::size_t>(count, list.size() - 1);
  std::copy_backward(place, kept, kept + 1);
  *place = face;
  return std::min<int>(count + 1, static_cast<int>(list.size()));
}

}  // namespace footfall

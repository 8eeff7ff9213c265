#pragma once

#include <vector>

#include "collide/solids.hpp"

namespace footfall::collide {

/// How far the surfaces of a pair are apart that is worth a contact point [m].
inline constexpr double kBenchMargin = 0.005;

/// Pairs as they come out of a broad phase in a pile: some touch, some are a little apart, some overlap a little.
inline std::vector<RandomPair> nearPairs(ShapeKind a, ShapeKind b) {
  RandomPoints random(1);
  std::vector<RandomPair> pairs;
  while (pairs.size() < 500) {
    RandomPair pair(a, b, random);
    const std::vector<ManifoldPoint> points = manifoldOf(pair.a, pair.b, 1.0);
    if (points.empty()) continue;
    pair.a.X_WL.p -= (leastGap(points) - random.number(-0.001, kBenchMargin)) * points[0].normal_W;
    pairs.push_back(pair);
  }
  return pairs;
}

}  // namespace footfall::collide

#include <algorithm>
#include <cmath>

#include "footfall/base/error.hpp"
#include "footfall/geometry/shape.hpp"

namespace footfall {
namespace {

const Vector3d& farthestFrom(const Vector3d& centre, std::span<const Vector3d> points) {
  return *std::max_element(points.begin(), points.end(), [&](const Vector3d& a, const Vector3d& b) {
    return (a - centre).squaredNorm() < (b - centre).squaredNorm();
  });
}

}  // namespace

/// Bădoiu and Clarkson: step k moves the centre by 1/(k + 1) towards the farthest point. After n steps the ball is at
/// most 1 + 1/√n times the smallest; in practice it is much better, and the best centre of all steps is kept.
BoundingSphere boundingSphere(std::span<const Vector3d> points) {
  if (points.empty()) throw Error("bounding sphere", "there are no points");
  constexpr int kSteps = 2000;
  Vector3d centre = points[0];
  BoundingSphere best{centre, std::numeric_limits<double>::infinity()};
  for (int step = 1; step <= kSteps; ++step) {
    const Vector3d& farthest = farthestFrom(centre, points);
    const double radius = (farthest - centre).norm();
    if (radius < best.radius) best = {centre, radius};
    centre += (farthest - centre) / (step + 1.0);
  }
  best.radius *= 1.0 + 1e-12;  // rounding must not leave a point outside
  return best;
}

}  // namespace footfall

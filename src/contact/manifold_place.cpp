#include "contact/manifold_place.hpp"

#include <algorithm>

namespace footfall {
namespace {

/// The normal of a face belongs to either body, and all points of a face need the same one: what slides fast would be
/// asked to leave where its normal leans by next to nothing.
Vector3d normalOfItsFace(const Vector3d& carried, std::span<const collide::ManifoldPoint> found) {
  constexpr double kSameFace = 1e-6;  // [rad]
  for (const collide::ManifoldPoint& other : found)
    if ((other.normal_W - carried).squaredNorm() < kSameFace * kSameFace) return other.normal_W;
  return carried;
}

}  // namespace

collide::ManifoldPoint followed(const TouchPoint& point, std::span<const collide::ManifoldPoint> found,
                                const Pose& X_WA, const Pose& X_WB) {
  const auto same = std::find_if(found.begin(), found.end(),
                                 [&](const collide::ManifoldPoint& other) { return other.feature == point.feature; });
  if (same != found.end()) return *same;
  collide::ManifoldPoint now;
  now.feature = point.feature;
  now.p_WA = X_WA * point.p_A;
  now.normal_W = normalOfItsFace(X_WB.R * point.normal_B, found);
  now.gap = now.normal_W.dot(now.p_WA - X_WB * point.p_B);
  now.p_WB = now.p_WA - now.gap * now.normal_W;
  return now;
}

const std::vector<collide::ManifoldPoint>& PairManifold::of(const collide::Placed& a, const collide::Placed& b,
                                                            double margin, collide::Apart* apart) {
  const auto same = [](const collide::Placed& one, const collide::Placed& other) {
    return one.solid == other.solid && one.key == other.key && one.X_WS.p == other.X_WS.p && one.X_WS.R == other.X_WS.R;
  };
  if (margin == margin_ && same(a, a_) && same(b, b_)) return points_;
  a_ = a, b_ = b, margin_ = margin;
  points_.clear();
  collide::manifold(a, b, margin, scratch_, points_, apart);
  return points_;
}

Matrix3d axesAlong(const Vector3d& normal_W) {
  static const Matrix3d tilted = rotationWithZ(Vector3d(0.6124, 0.2347, 0.7549).normalized());
  return tilted * rotationWithZ(tilted.transpose() * normal_W);
}

int numberOfTouch(std::size_t first, std::uint32_t a, std::uint32_t b, std::uint32_t feature) {
  std::uint64_t x = (static_cast<std::uint64_t>(a) << 40) ^ (static_cast<std::uint64_t>(b) << 20) ^ feature;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  x ^= x >> 31;
  return static_cast<int>(first + x % (0x7fffffffULL - first));
}

}  // namespace footfall

#pragma once

#include <array>
#include <cmath>

#include "footfall/spatial/pose.hpp"

namespace footfall {

/// The point below all of some planes that is nearest to a point p above them: on one of them, on the edge of two, or
/// on the tip of three. The way from there to p is a sum of their normals, with shares that are not below zero; the
/// planes that have none are above. So few of them are tried one after the other.
class NearestOfPlanes {
 public:
  static constexpr int kMost = 4;

  /// Takes the place of one that has no share of the way, where there are four. Returns its number.
  /// @param distance of p from the plane, along its normal [m]
  int add(const Vector3d& normal, double distance) {
    int at = count_ < kMost ? count_++ : 0;
    while (count_ == kMost && at + 1 < kMost && (touched_ & (1u << at)) != 0) ++at;
    normals_[at] = normal;
    distances_[at] = distance;
    return at;
  }
  void replace(int plane, const Vector3d& normal, double distance) {
    normals_[plane] = normal;
    distances_[plane] = distance;
  }
  int count() const { return count_; }

  /// False: p is not above them, or planes are the same.
  bool find() {
    for (unsigned subset = 1; subset < (1u << count_); ++subset)
      if (isNearest(subset)) return touched_ = subset, true;
    return false;
  }
  /// From the nearest point to p [m]
  const Vector3d& way() const { return way_; }

 private:
  bool isNearest(unsigned subset) {
    constexpr double kRounding = 1e-12, kRegular = 1e-12;  // [m], [-]
    std::array<int, kMost> chosen{};
    int count = 0;
    for (int k = 0; k < count_; ++k)
      if ((subset & (1u << k)) != 0) chosen[count++] = k;
    if (count > 3) return false;
    Matrix3d cosines = Matrix3d::Identity();
    Vector3d distances = Vector3d::Zero();
    for (int i = 0; i < count; ++i) {
      distances[i] = distances_[chosen[i]];
      for (int j = 0; j < count; ++j) cosines(i, j) = normals_[chosen[i]].dot(normals_[chosen[j]]);
    }
    if (!(std::abs(cosines.determinant()) > kRegular)) return false;
    const Vector3d shares = cosines.inverse() * distances;
    if (!(shares.minCoeff() >= 0.0)) return false;
    way_.setZero();
    for (int i = 0; i < count; ++i) way_ += shares[i] * normals_[chosen[i]];
    for (int k = 0; k < count_; ++k)
      if ((subset & (1u << k)) == 0 && distances_[k] - normals_[k].dot(way_) > kRounding) return false;
    return true;
  }

  std::array<Vector3d, kMost> normals_;
  std::array<double, kMost> distances_{};
  int count_ = 0;
  unsigned touched_ = 0;  ///< those that have a share, as bits
  Vector3d way_ = Vector3d::Zero();
};

}  // namespace footfall

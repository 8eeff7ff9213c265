#include "footfall/spatial/inertia.hpp"

namespace footfall {
namespace {

/// What the parallel-axis theorem adds for a point mass at distance r.
Matrix3d pointInertia(double mass, const Vector3d& r) {
  return mass * (r.squaredNorm() * Matrix3d::Identity() - r * r.transpose());
}

}  // namespace

SpatialInertia SpatialInertia::expressedIn(const Pose& X_AB) const {
  return {mass, X_AB * com, X_AB.R * I_com * X_AB.R.transpose()};
}

SpatialInertia& SpatialInertia::operator+=(const SpatialInertia& other) {
  const double total = mass + other.mass;
  const Vector3d joint_com =
      total > 0.0 ? Vector3d((mass * com + other.mass * other.com) / total) : Vector3d(Vector3d::Zero());
  I_com += pointInertia(mass, com - joint_com) + other.I_com + pointInertia(other.mass, other.com - joint_com);
  com = joint_com;
  mass = total;
  return *this;
}

}  // namespace footfall

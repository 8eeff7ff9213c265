#pragma once

#include "footfall/spatial/pose.hpp"

namespace footfall {

/// What the ground is like near a point.
struct SurfacePoint {
  double gap = 0.0;                           ///< signed distance to the ground, < 0 inside [m]
  Matrix3d R_WC = Matrix3d::Identity();       ///< column 2 is the outward normal [-]
  Vector3d velocity_W = Vector3d::Zero();     ///< of the surface [m/s]
  double friction = 0.0;                      ///< [-]
  double restitution = 0.0;                   ///< [-]
};

/// The port to ground shapes.
class Terrain {
 public:
  virtual ~Terrain() = default;
  /// The ground nearest to a point of the world at a time.
  virtual SurfacePoint at(const Vector3d& p_W, double time) const = 0;
};

/// A plane through a point, of any incline.
class Plane : public Terrain {
 public:
  Plane() : Plane(Vector3d::Zero(), Vector3d::UnitZ(), 0.6, 0.0) {}
  /// @param normal outward; need not have length one, must not be zero
  Plane(const Vector3d& point, const Vector3d& normal, double friction, double restitution);

  SurfacePoint at(const Vector3d& p_W, double time) const override;

 private:
  Vector3d point_;
  Matrix3d R_WC_;
  double friction_, restitution_;
};

}  // namespace footfall

#include <cmath>

#include "footfall/terrain/terrain.hpp"
#include "terrain/checks.hpp"

namespace footfall {

Plane::Plane(const Vector3d& point, const Vector3d& normal, const Material& material)
    : point_(point),
      R_WC_(rotationWithZ(requireDirection("ground.normal", "normal of the plane", normal))),
      material_(material) {
  requireFinite("ground.point", "point of the plane", point);
  validate(material);
}

SurfacePoint Plane::at(const Vector3d& p_W, TimeSpan /*span*/) const {
  return {gap(p_W), R_WC_, Vector3d::Zero(), material_.friction, material_.restitution};
}

double Plane::clearance(const Vector3d& center_W, double radius, TimeSpan /*span*/) const {
  return gap(center_W) - radius;
}

/// Its x points downhill.
GroundDrawing Plane::drawing(const Vector3d& /*around_W*/) const {
  const Vector3d normal = R_WC_.col(2);
  const Eigen::AngleAxisd turn(std::atan2(normal.y(), normal.x()), Vector3d::UnitZ());
  const Eigen::AngleAxisd lean(std::atan2(normal.head<2>().norm(), normal.z()), Vector3d::UnitY());
  GroundDrawing drawing;
  drawing.plane = Pose{(turn * lean).toRotationMatrix(), point_};
  return drawing;
}

}  // namespace footfall

#include "footfall/base/error.hpp"
#include "footfall/terrain/terrain.hpp"

namespace footfall {

Plane::Plane(const Vector3d& point, const Vector3d& normal, double friction, double restitution)
    : point_(point), friction_(friction), restitution_(restitution) {
  const double length = normal.norm();
  if (!(length > 0.0)) throw Error("ground", "the normal of the plane has no direction");
  R_WC_ = rotationWithZ(normal / length);
}

SurfacePoint Plane::at(const Vector3d& p_W, double /*time*/) const {
  SurfacePoint surface;
  surface.gap = R_WC_.col(2).dot(p_W - point_);
  surface.R_WC = R_WC_;
  surface.friction = friction_;
  surface.restitution = restitution_;
  return surface;
}

}  // namespace footfall

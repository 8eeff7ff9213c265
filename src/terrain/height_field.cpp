#include "footfall/terrain/height_field.hpp"

#include <algorithm>
#include <cmath>

#include "footfall/base/error.hpp"
#include "terrain/checks.hpp"

namespace footfall {

HeightField::HeightField(std::shared_ptr<const HeightMap> map, const Vector3d& origin, const Material& material)
    : map_(std::move(map)), origin_(origin), material_(material) {
  if (!map_) throw Error("ground.height", "there is no height map");
  requireFinite("ground.origin", "origin of the height field", origin);
  validate(material);
}

SurfacePoint HeightField::at(const Vector3d& p_W, TimeSpan /*span*/) const {
  const Vector3d p = p_W - origin_;
  const Height height = map_->at(p.x(), p.y());
  const Vector3d normal = Vector3d(-height.slope_x, -height.slope_y, 1.0).normalized();
  return {(p.z() - height.z) * normal.z(), rotationWithZ(normal), Vector3d::Zero(), material_.friction,
          material_.restitution};
}

double HeightField::clearance(const Vector3d& center_W, double radius, TimeSpan /*span*/) const {
  const HeightLimits& limits = map_->limits();
  const Vector3d p = center_W - origin_;
  double above = p.z() - radius - limits.highest;
  // Below the highest place the slope tells: over a sphere, z − h changes by at most radius · √(1 + steepest²).
  const double stretch = std::hypot(1.0, limits.steepest);
  if (above <= 0.0 && std::isfinite(stretch))
    above = std::max(above, p.z() - map_->at(p.x(), p.y()).z - radius * stretch);
  return above > 0.0 ? above / stretch : above;
}

}  // namespace footfall

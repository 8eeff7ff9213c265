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

HeightField::Foot HeightField::footAt(const Vector3d& p, double x, double y) const {
  const Height height = map_->at(x, y);
  const Vector3d normal = Vector3d(-height.slope_x, -height.slope_y, 1.0).normalized();
  return {normal, normal.dot(p - Vector3d(x, y, height.z))};
}

/// The centre of a ball is not above the place where the ball touches: the ground there counts, not the one below.
HeightField::Foot HeightField::footBelow(const Vector3d& p) const {
  constexpr double kClose = 1e-3;   // nearer than this, the ground below and the foot are the same place [m]
  constexpr double kAligned = 0.9;  // normals that differ more belong to different hills: the point is far away
  constexpr int kMostSteps = 3;
  Foot foot = footAt(p, p.x(), p.y());
  // No ground is nearer than its steepest slope allows.
  const double least = foot.gap / foot.normal.z() / std::hypot(1.0, map_->limits().steepest);
  for (int k = 0; k < kMostSteps && std::abs(foot.gap) > kClose; ++k) {
    const Vector3d place = p - foot.gap * foot.normal;
    const Foot next = footAt(p, place.x(), place.y());
    if (!(next.normal.dot(foot.normal) > kAligned)) break;
    foot = next;
  }
  if (least > 0.0) foot.gap = std::max(foot.gap, least);
  return foot;
}

SurfacePoint HeightField::at(const Vector3d& p_W, TimeSpan /*span*/) const {
  const Foot foot = footBelow(p_W - origin_);
  return {foot.gap, rotationWithZ(foot.normal), Vector3d::Zero(), material_.friction, material_.restitution};
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

GroundDrawing HeightField::drawing(const Vector3d& around_W) const {
  const Eigen::Vector2d size = map_->extent();
  if (!(size.minCoeff() > 0.0)) return Terrain::drawing(around_W);
  GroundDrawing drawing;
  drawing.heights = drawHeights(origin_, size, [&](double x, double y) { return map_->at(x, y).z; });
  return drawing;
}

}  // namespace footfall

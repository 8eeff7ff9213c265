#include "footfall/terrain/height_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "footfall/base/error.hpp"
#include "terrain/checks.hpp"
#include "terrain/nearest_of_planes.hpp"
#include "terrain/ray_search.hpp"

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
  const Vector3d point(x, y, height.z);
  return {normal, normal.dot(p - point), point};
}

/// Above an edge or a tip between sides of a hill p is nearest to the edge, and to none of the sides: the nearest point
/// of what is below all of their planes. Where the ground is lower there, or round, another side is found there. Where
/// it is higher, sides are hollow, and planes nearer to the edge say where it is. Where there is no such edge `one`
/// stays: in an inner corner.
HeightField::Foot HeightField::footOnEdge(const Vector3d& p, const Foot& one, const Foot& other) const {
  constexpr double kFound = 1e-9;  // [m]
  constexpr double kNearer = 0.25, kMuchNearer = 1e-2;
  constexpr int kMostSteps = 20;
  if (one.normal.dot(other.point - one.point) > 0.0 || other.normal.dot(one.point - other.point) > 0.0) return one;
  std::array<Foot, NearestOfPlanes::kMost> sides;
  NearestOfPlanes nearest;
  const auto add = [&](const Foot& side) { sides[nearest.add(side.normal, side.gap)] = side; };
  const auto lookNearer = [&](const Vector3d& edge, double share) {
    for (int side = 0; side < nearest.count(); ++side) {
      const Vector3d point = edge + share * (sides[side].point - edge);
      sides[side] = footAt(p, point.x(), point.y());
      nearest.replace(side, sides[side].normal, sides[side].gap);
    }
  };
  add(one);
  add(other);
  Vector3d last_way = Vector3d::Zero();
  Foot best = one;
  for (int k = 0; k < kMostSteps && nearest.find(); ++k) {
    const Vector3d& way = nearest.way();
    const Vector3d edge = p - way;
    const Foot there = footAt(p, edge.x(), edge.y());
    const double above = there.normal.dot(edge - there.point);
    const bool found = std::abs(above) < kFound;
    if (found && (way - last_way).norm() < kFound) return {way.normalized(), way.norm(), edge};
    last_way = way;
    if (found) best = {way.normalized(), way.norm(), edge};
    if (above >= kFound)
      add(there);
    else
      lookNearer(edge, found ? kMuchNearer : kNearer);  // what is found must be so with the sides as they are there
  }
  return best;
}

/// The centre of a ball is not above the place where the ball touches: the ground there counts, not the one below. The
/// foot is where the way along the normal leads back to p. Each step of that fixed point leaves gap · curvature of what
/// is missing; the secant through the last two (Anderson's acceleration) leaves next to nothing. Without it normals
/// would not be the gradients of gaps, and a ball that is large for its valley would gain and lose energy.
HeightField::Foot HeightField::footBelow(const Vector3d& p) const {
  constexpr double kClose = 1e-3;   // nearer than this, the ground below and the foot are the same place [m]
  constexpr double kFound = 1e-9;   // [m]
  constexpr double kAligned = 0.9;  // normals that differ more belong to different hills: the point is far away
  constexpr int kMostSteps = 12;
  using Place = Eigen::Vector2d;
  const auto missing = [&](const Foot& foot, const Place& at) {
    return Place((p - foot.gap * foot.normal).head<2>() - at);
  };
  Place at = p.head<2>(), last_at = at, last_missing = Place::Zero();
  Foot foot = footAt(p, at.x(), at.y());
  // No ground is nearer than its steepest slope allows.
  const double least = foot.gap / foot.normal.z() / std::hypot(1.0, map_->limits().steepest);
  Place miss = missing(foot, at);
  for (int k = 0; k < kMostSteps && std::abs(foot.gap) > kClose && miss.norm() > kFound; ++k) {
    Place next_at = at + miss;
    const Place change = miss - last_missing;
    if (k > 0) next_at -= miss.dot(change) / change.squaredNorm() * (at - last_at + change);
    const Foot next = footAt(p, next_at.x(), next_at.y());
    const Place next_miss = missing(next, next_at);
    // Not nearer: the ground has an edge there, or is rounder than the ball.
    if (!(next.normal.dot(foot.normal) > kAligned) || !(next_miss.norm() < miss.norm())) {
      foot = footOnEdge(p, foot, next);
      break;
    }
    last_at = std::exchange(at, next_at);
    last_missing = std::exchange(miss, next_miss);
    foot = next;
  }
  if (least > 0.0) foot.gap = std::max(foot.gap, least);
  return foot;
}

void HeightField::shorten(std::span<const Ray> rays, double /*time*/, std::span<double> distance) const {
  constexpr std::size_t kTogether = 64;
  std::array<double, kTogether> x, y, height;
  for (std::size_t first = 0; first < rays.size(); first += kTogether) {
    const std::size_t count = std::min(kTogether, rays.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      x[i] = rays[first + i].origin_W.x() - origin_.x();
      y[i] = rays[first + i].origin_W.y() - origin_.y();
    }
    map_->heightsAt(std::span(x).first(count), std::span(y).first(count), std::span(height).first(count));
    for (std::size_t i = 0; i < count; ++i) shorten(rays[first + i], height[i], distance[first + i]);
  }
}

/// @param height of the ground below the ray's origin, from that of the map [m]
void HeightField::shorten(const Ray& ray, double height, double& distance) const {
  const double above = ray.origin_W.z() - origin_.z() - height;
  if (ray.direction_W.z() == -1.0)
    distance = std::min(distance, std::max(above, 0.0));
  else
    distance = above <= 0.0 ? 0.0 : alongRay({ray.origin_W - origin_, ray.direction_W}, distance);
}

/// Of a ray in the map's own frame that begins above the ground.
double HeightField::alongRay(const Ray& ray, double limit) const {
  const Vector3d &p = ray.origin_W, &d = ray.direction_W;
  const HeightLimits& limits = map_->limits();
  const double sideways = d.head<2>().norm();
  // Along the ray, the height above the ground falls by at most this for each metre.
  const double fall = sideways > 0.0 ? limits.steepest * sideways - d.z() : -d.z();
  if (fall <= 0.0) return limit;
  // Nothing is met above the highest place.
  const double from = p.z() > limits.highest ? (d.z() < 0.0 ? (p.z() - limits.highest) / -d.z() : limit) : 0.0;
  if (from >= limit) return limit;
  const auto above = [&](double t) { return p.z() + t * d.z() - map_->heightAt(p.x() + t * d.x(), p.y() + t * d.y()); };
  return firstZero(from, limit, above, [&](double height) { return height / fall; });
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

/// No curvature of the surface is larger than the change of its slope. The slope jumps at the border.
bool HeightField::touchesOnce(const Vector3d& center_W, double radius, TimeSpan /*span*/) const {
  const Vector3d p = center_W - origin_;
  const Eigen::Vector2d inside = 0.5 * map_->extent() - p.head<2>().cwiseAbs();
  return inside.minCoeff() > radius && radius * map_->sharpestNear(p.x(), p.y(), radius) < 1.0;
}

GroundDrawing HeightField::drawing(const Vector3d& around_W) const {
  const Eigen::Vector2d size = map_->extent();
  if (!(size.minCoeff() > 0.0)) return Terrain::drawing(around_W);
  GroundDrawing drawing;
  drawing.heights = drawHeights(origin_, size, [&](double x, double y) { return map_->at(x, y).z; });
  return drawing;
}

}  // namespace footfall

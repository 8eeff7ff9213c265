#include "footfall/terrain/ray_cast.hpp"

#include <fmt/format.h>

#include <cmath>

#include "footfall/base/error.hpp"
#include "terrain/ray_search.hpp"

namespace footfall {
namespace {

/// One point tells all about a plane.
double alongPlane(const SurfacePoint& start, const Ray& ray, double limit) {
  const double sinking = -start.R_WC.col(2).dot(ray.direction_W);
  return sinking > 0.0 ? std::min(start.gap / sinking, limit) : limit;
}

double searchByGaps(const Terrain& ground, const Ray& ray, double time, double limit) {
  const auto gap = [&](double t) { return ground.at(ray.origin_W + t * ray.direction_W, time).gap; };
  // Half of it: not every ground of others knows its distance exactly.
  return firstZero(0.0, limit, gap, [](double value) { return 0.5 * value; });
}

void requireGoodRay(std::size_t number, const Ray& ray) {
  constexpr double kUnit = 1e-6;
  if (!ray.origin_W.allFinite()) throw Error("rays", fmt::format("the origin of ray {} is not finite", number));
  if (!(std::abs(ray.direction_W.norm() - 1.0) <= kUnit))
    throw Error("rays",
                fmt::format("the direction of ray {} has the length {}, expected 1", number, ray.direction_W.norm()));
}

}  // namespace

void shortenRays(const Terrain& ground, std::span<const Ray> rays, double time, std::span<double> distance) {
  if (const auto* target = dynamic_cast<const RayTarget*>(&ground)) return target->shorten(rays, time, distance);
  const bool plane = dynamic_cast<const Plane*>(&ground) != nullptr;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const SurfacePoint start = ground.at(rays[i].origin_W, time);
    if (start.gap <= 0.0)
      distance[i] = 0.0;
    else
      distance[i] = plane ? alongPlane(start, rays[i], distance[i]) : searchByGaps(ground, rays[i], time, distance[i]);
  }
}

void requireGoodRays(std::span<const Ray> rays, double reach, std::span<const double> distance) {
  if (distance.size() != rays.size())
    throw Error("rays", fmt::format("there is room for {} distances, expected {}", distance.size(), rays.size()));
  if (!(reach > 0.0) || !std::isfinite(reach))
    throw Error("rays", fmt::format("the reach is {} m, expected a finite length above zero", reach));
  for (std::size_t i = 0; i < rays.size(); ++i) requireGoodRay(i, rays[i]);
}

void castRays(const Terrain& ground, std::span<const Ray> rays, double reach, double time, std::span<double> distance) {
  requireGoodRays(rays, reach, distance);
  std::fill(distance.begin(), distance.end(), reach);
  shortenRays(ground, rays, time, distance);
}

}  // namespace footfall

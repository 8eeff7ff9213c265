#pragma once

#include <span>

#include "footfall/terrain/terrain.hpp"

namespace footfall {

/// A half line.
struct Ray {
  Vector3d origin_W;     ///< [m]
  Vector3d direction_W;  ///< of length one [-]
};

/// A ground that knows where rays meet it. Others are searched along the ray: castRays() serves both.
class RayTarget {
 public:
  virtual ~RayTarget() = default;

  /// Shortens each distance to where its ray enters the ground, if that is nearer; to 0 where it begins inside. Several
  /// grounds that shorten the same distances are one. Allocates nothing. @param time of a ground that moves [s]
  virtual void shorten(std::span<const Ray> rays, double time, std::span<double> distance) const = 0;
};

/// The least that a search advances: a ray that cuts less than this off the ground may miss it [m].
constexpr double kRayStep = 1e-3;

/// As RayTarget::shorten() for any ground; one that is no RayTarget, such as a plug-in, is searched by its gaps.
void shortenRays(const Terrain& ground, std::span<const Ray> rays, double time, std::span<double> distance);

/// Throws Error when there is not room for as many distances, a number is not finite, or a direction has no length one.
void requireGoodRays(std::span<const Ray> rays, double reach, std::span<const double> distance);

/// How far each ray goes until it enters the ground, `reach` where it does not [m]; 0 where it begins inside. Throws
/// as requireGoodRays() does.
void castRays(const Terrain& ground, std::span<const Ray> rays, double reach, double time, std::span<double> distance);

}  // namespace footfall

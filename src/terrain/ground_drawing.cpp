#include "footfall/terrain/ground_drawing.hpp"

#include "footfall/terrain/terrain.hpp"

namespace footfall {

GroundBelow findGroundBelow(const Terrain& terrain, double x, double y, double from, double time) {
  constexpr double kClose = 1e-4;  // [m]
  constexpr double kSteep = 0.1;   // of the normal's z: walls are not followed
  Vector3d p(x, y, from);
  for (int i = 0; i < 30; ++i) {
    const SurfacePoint surface = terrain.at(p, time);
    const double slope = surface.R_WC(2, 2);
    if (!(slope >= kSteep)) return {p.z(), false};
    if (std::abs(surface.gap) < kClose) return {p.z(), true};
    p.z() -= surface.gap / slope;
  }
  return {p.z(), false};
}

GroundDrawing drawByHeights(const Terrain& terrain, const Vector3d& around_W) {
  constexpr double kSide = 20.0;  // of the square that is shown of a ground without end [m]
  constexpr double kAbove = 5.0;  // higher than this above its place no ground without bounds is expected [m]
  const Bounds bounds = terrain.bounds();
  Vector3d origin = around_W;
  Eigen::Vector2d size(kSide, kSide);
  for (int axis = 0; axis < 2; ++axis) {
    if (!std::isfinite(bounds.low[axis]) || !std::isfinite(bounds.high[axis])) continue;
    origin[axis] = 0.5 * (bounds.low[axis] + bounds.high[axis]);
    size[axis] = bounds.high[axis] - bounds.low[axis];
  }
  if (!(size.minCoeff() > 0.0)) return {};
  const double from = std::isfinite(bounds.high.z()) ? bounds.high.z() : origin.z() + kAbove;
  GroundDrawing drawing;
  drawing.heights = drawHeights(origin, size, [&](double x, double y) {
    const GroundBelow below = findGroundBelow(terrain, origin.x() + x, origin.y() + y, from, 0.0);
    return below.found ? std::optional(below.z - origin.z()) : std::nullopt;
  });
  return drawing;
}

}  // namespace footfall

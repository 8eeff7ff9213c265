#pragma once

#include <memory>
#include <vector>

#include "footfall/terrain/ray_cast.hpp"

namespace footfall {

/// A box that stands or lies anywhere.
///
/// Outside, the gap is the exact distance; beyond an edge or a corner the normal points from there to the point, so
/// that it turns smoothly around it. Inside, the nearest face is the way out; of two at the same depth the one that
/// looks up more. A point that is deeper below the top than it is away from a side is therefore pushed out sideways:
/// penetrations must stay small against the distance from the edge.
class Box : public Terrain, public RayTarget {
 public:
  /// @param X_WB pose of the box's center
  /// @param size full lengths along the box's own axes, all above zero [m]
  Box(const Pose& X_WB, const Vector3d& size, const Material& material);

  SurfacePoint at(const Vector3d& p_W, TimeSpan span) const override;
  int faces(const Vector3d& p_W, TimeSpan span, std::span<SurfacePoint> out) const override;
  double clearance(const Vector3d& center_W, double radius, TimeSpan span) const override;
  Bounds bounds() const override;
  int blockCount() const override { return 1; }
  GroundBlock block(int /*index*/, double /*time*/) const override { return {X_WB_, 2.0 * half_}; }
  GroundDrawing drawing(const Vector3d& around_W) const override;
  void shorten(std::span<const Ray> rays, double time, std::span<double> distance) const override;

 private:
  Vector3d toBox(const Vector3d& p_W) const { return X_WB_.R.transpose() * (p_W - X_WB_.p); }
  Vector3d beyondFaces(const Vector3d& p_B) const;
  SurfacePoint surface(double gap, const Vector3d& normal_W) const;

  Pose X_WB_;
  Vector3d half_;  ///< half the size [m]
  Material material_;
};

/// Steps that climb along x of their own frame S, whose origin is on the ground in the middle of the first riser.
struct Stairs {
  Pose X_WS;
  int number = 1;        ///< of steps
  double rise = 0.15;    ///< of one step [m]
  double run = 0.3;      ///< depth of one tread [m]
  double width = 1.0;    ///< along y [m]
  double landing = 0.0;  ///< added to the last tread [m]
  Material material;
};

/// One box for each step, from the ground to its tread; together in a TerrainGroup they have no seams.
std::vector<std::shared_ptr<const Terrain>> makeStairs(const Stairs& stairs);

}  // namespace footfall

#pragma once

#include <memory>
#include <vector>

#include "footfall/terrain/ray_cast.hpp"

namespace footfall {

/// Several grounds as one body: the union of all.
///
/// - A point outside all of them gets the nearest surface.
/// - A point inside gets the nearest way out of the whole: faces that another member covers do not count. A foot that
///   slides from one box to the next, or from the floor onto a plate let into it, meets no seam. Members closer to each
///   other than kTouching (1 µm) leave no gap.
/// - In an inner corner each face is covered by another one. A point has one contact at a time: in the corner of floor
///   and wall it is the one it is deeper in, unless another way out is shorter.
/// - Of surfaces that coincide (within 1e-12 m), the one listed last lies on top.
class TerrainGroup : public Terrain, public RayTarget {
 public:
  explicit TerrainGroup(std::vector<std::shared_ptr<const Terrain>> members);

  SurfacePoint at(const Vector3d& p_W, TimeSpan span) const override;
  int faces(const Vector3d& p_W, TimeSpan span, std::span<SurfacePoint> out) const override;
  double clearance(const Vector3d& center_W, double radius, TimeSpan span) const override;
  Bounds bounds() const override;
  int planeCount() const override { return static_cast<int>(planes_.size()); }
  SurfacePoint atPlane(int index, const Vector3d& p_W, TimeSpan span) const override {
    return planes_[static_cast<std::size_t>(index)]->at(p_W, span);
  }
  int blockCount() const override { return static_cast<int>(blocks_.size()); }
  GroundBlock block(int index, double time) const override;
  bool hasHills() const override { return has_hills_; }
  /// Of all blocks, and the first plane and the first heights.
  GroundDrawing drawing(const Vector3d& around_W) const override;
  void shorten(std::span<const Ray> rays, double time, std::span<double> distance) const override;

 private:
  SurfacePoint nearestOfAll(const Vector3d& p_W, TimeSpan span) const;
  int exposedFaces(const Vector3d& p_W, TimeSpan span, bool nearest_of_each, std::span<SurfacePoint> out) const;
  SurfacePoint orThroughCorner(const SurfacePoint& exposed, const Vector3d& p_W, TimeSpan span) const;
  bool coveredByOthers(std::size_t member, const Vector3d& p_W, TimeSpan span) const;

  std::vector<std::shared_ptr<const Terrain>> members_;
  std::vector<Bounds> bounds_;  ///< of the members
  struct Block {
    const Terrain* member;
    int index;
  };
  std::vector<Block> blocks_;           ///< of all members
  std::vector<const Terrain*> planes_;  ///< members that are planes
  bool has_hills_ = false;              ///< of some member
};

}  // namespace footfall

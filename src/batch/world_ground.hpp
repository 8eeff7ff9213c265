#pragma once

#include "footfall/terrain/terrain.hpp"

namespace footfall {

/// The ground of a scene as one world has it: with more or less friction. Each thread has one, set for the world at
/// hand.
class WorldGround final : public Terrain {
 public:
  /// The ground must outlive it.
  explicit WorldGround(const Terrain& ground) : ground_(ground) {}

  void setFrictionScale(double scale) { friction_scale_ = scale; }

  SurfacePoint at(const Vector3d& p_W, TimeSpan span) const override { return scaled(ground_.at(p_W, span)); }
  int faces(const Vector3d& p_W, TimeSpan span, std::span<SurfacePoint> out) const override {
    const int count = ground_.faces(p_W, span, out);
    for (SurfacePoint& face : out.first(count)) face = scaled(face);
    return count;
  }
  double clearance(const Vector3d& center_W, double radius, TimeSpan span) const override {
    return ground_.clearance(center_W, radius, span);
  }
  Bounds bounds() const override { return ground_.bounds(); }
  bool isPlane() const override { return ground_.isPlane(); }
  int planeCount() const override { return ground_.planeCount(); }
  SurfacePoint atPlane(int index, const Vector3d& p_W, TimeSpan span) const override {
    return scaled(ground_.atPlane(index, p_W, span));
  }
  int blockCount() const override { return ground_.blockCount(); }
  GroundBlock block(int index, double time) const override { return ground_.block(index, time); }
  bool hasHills() const override { return ground_.hasHills(); }
  bool touchesOnce(const Vector3d& center_W, double radius, TimeSpan span) const override {
    return ground_.touchesOnce(center_W, radius, span);
  }

 private:
  SurfacePoint scaled(SurfacePoint point) const {
    point.friction *= friction_scale_;
    return point;
  }

  const Terrain& ground_;
  double friction_scale_ = 1.0;
};

}  // namespace footfall

#pragma once

#include <memory>
#include <vector>

#include "footfall/terrain/ray_cast.hpp"
#include "footfall/terrain/time_function.hpp"

namespace footfall {

/// The motion of a rigid body over time, relative to where it was described (rest). The rotations are carried out one
/// after the other, each about its axis at rest; then the translations, which take the axes along.
class Motion {
 public:
  struct Translation {
    Vector3d direction;     ///< in the world; need not have length one, must not be zero
    TimeFunction distance;  ///< [m]
  };
  struct Rotation {
    Vector3d axis;       ///< in the world; need not have length one, must not be zero
    Vector3d point;      ///< on the axis [m]
    TimeFunction angle;  ///< right-handed [rad]
  };

  Motion(std::vector<Translation> translations, std::vector<Rotation> rotations);

  /// Pose of the body G; identity at rest.
  Pose pose(double time) const;
  /// Of the material point that is at p_W when the span starts, mean over the span [m/s].
  Vector3d velocity(const Vector3d& p_W, TimeSpan span) const;
  /// No point within `radius` of center_W is farther from its place when the span has passed [m].
  double reach(const Vector3d& center_W, double radius, TimeSpan span) const;

 private:
  Pose turned(double time) const;     ///< the rotations alone
  Vector3d shift(double time) const;  ///< the translations alone [m]
  Vector3d turningVelocity(Vector3d p, double time) const;

  std::vector<Translation> translations_;
  std::vector<Rotation> rotations_;
};

/// Any ground that moves as a rigid body: a lift, a tilting table, a shaking table, a moving platform.
class MovingTerrain : public Terrain, public RayTarget {
 public:
  /// @param ground as it is at rest
  MovingTerrain(std::shared_ptr<const Terrain> ground, Motion motion);

  SurfacePoint at(const Vector3d& p_W, TimeSpan span) const override;
  int faces(const Vector3d& p_W, TimeSpan span, std::span<SurfacePoint> out) const override;
  double clearance(const Vector3d& center_W, double radius, TimeSpan span) const override;
  bool isPlane() const override { return ground_->isPlane(); }
  int blockCount() const override { return ground_->blockCount(); }
  bool hasHills() const override { return ground_->hasHills(); }
  bool touchesOnce(const Vector3d& center_W, double radius, TimeSpan span) const override;
  GroundBlock block(int index, double time) const override;
  void shorten(std::span<const Ray> rays, double time, std::span<double> distance) const override;

 private:
  void carry(const Vector3d& p_W, TimeSpan span, const Pose& X_WG, SurfacePoint& surface) const;

  std::shared_ptr<const Terrain> ground_;
  Motion motion_;
};

/// Any ground whose surface runs along like a conveyor belt while its shape stays where it is.
class Conveyor : public Terrain, public RayTarget {
 public:
  /// @param direction of the belt. On every face the belt runs along that part of it that lies in the face, with its
  ///                  full speed; faces square to it stand still.
  /// @param travel    of the belt over time [m]
  Conveyor(std::shared_ptr<const Terrain> ground, const Vector3d& direction, TimeFunction travel);

  SurfacePoint at(const Vector3d& p_W, TimeSpan span) const override;
  int faces(const Vector3d& p_W, TimeSpan span, std::span<SurfacePoint> out) const override;
  double clearance(const Vector3d& center_W, double radius, TimeSpan span) const override;
  Bounds bounds() const override { return ground_->bounds(); }
  bool isPlane() const override { return ground_->isPlane(); }
  int blockCount() const override { return ground_->blockCount(); }
  bool hasHills() const override { return ground_->hasHills(); }
  bool touchesOnce(const Vector3d& center_W, double radius, TimeSpan span) const override {
    return ground_->touchesOnce(center_W, radius, span);
  }
  GroundBlock block(int index, double time) const override { return ground_->block(index, time); }
  void shorten(std::span<const Ray> rays, double time, std::span<double> distance) const override {
    shortenRays(*ground_, rays, time, distance);
  }

 private:
  void run(TimeSpan span, SurfacePoint& surface) const;

  std::shared_ptr<const Terrain> ground_;
  Vector3d direction_;
  TimeFunction travel_;
};

}  // namespace footfall

#pragma once

#include <limits>
#include <span>

#include "footfall/spatial/pose.hpp"
#include "footfall/terrain/ground_drawing.hpp"

namespace footfall {

/// What a surface is made of.
struct Material {
  double friction = 0.6;     ///< Coulomb coefficient [-]
  double restitution = 0.0;  ///< 0: no rebound, 1: full rebound [-]
};

/// Throws Error that names the field when friction is below zero or restitution is outside [0, 1].
void validate(const Material& material);

/// What the ground is like near a point.
struct SurfacePoint {
  double gap = 0.0;                        ///< signed distance to the ground along the normal, < 0 inside [m]
  Matrix3d R_WC = Matrix3d::Identity();    ///< column 2 is the outward normal [-]
  Vector3d velocity_W = Vector3d::Zero();  ///< of the ground's material point under the contact [m/s]
  double friction = 0.0;                   ///< [-]
  double restitution = 0.0;                ///< [-]
};

/// A moment, or a step that begins there. A moment may be given as a plain number.
struct TimeSpan {
  TimeSpan(double start_time, double length = 0.0) : start(start_time), duration(length) {}

  double start;     ///< [s]
  double duration;  ///< ≥ 0 [s]
};

/// A box along the axes of the world; without limits unless they are given.
struct Bounds {
  Vector3d low = Vector3d::Constant(-std::numeric_limits<double>::infinity());  ///< [m]
  Vector3d high = Vector3d::Constant(std::numeric_limits<double>::infinity());  ///< [m]

  /// Distance of a point from the box, 0 inside [m].
  double distance(const Vector3d& p_W) const { return (low - p_W).cwiseMax(p_W - high).cwiseMax(0.0).norm(); }
};

/// A block of the ground, which collision shapes also meet with its edges and corners.
struct GroundBlock {
  Pose X_WB;                         ///< of its middle
  Vector3d size = Vector3d::Zero();  ///< full lengths along its axes [m]
};

/// The port to ground shapes. A terrain never changes: many threads may ask one at the same time, and no question
/// allocates memory.
class Terrain {
 public:
  static constexpr int kMostFaces = 6;       ///< that faces() is asked for
  static constexpr double kTouching = 1e-6;  ///< shapes nearer to each other than this are one [m]

  virtual ~Terrain() = default;

  /// The ground nearest to a point. Gap and normal are those at the start of the span. The velocity is the mean over
  /// the span, (x(t + dt) − x(t)) / dt of the material point: a contact that sticks for a step of length dt and moves
  /// with it is carried exactly along. For a moment (dt = 0) it is the velocity itself.
  virtual SurfacePoint at(const Vector3d& p_W, TimeSpan span) const = 0;

  /// The ways out of the ground for a point inside it (or outside by less than kTouching), nearest first; returns how
  /// many were written. A terrain with one smooth surface has one. Several shapes together need the others where shapes
  /// hide each other's faces.
  virtual int faces(const Vector3d& p_W, TimeSpan span, std::span<SurfacePoint> out) const;

  /// A lower bound of the gaps of all points inside a sphere, both now and after the ground has moved for the span [m].
  /// Below zero it only says that something may touch. By default nothing is known: −∞.
  virtual double clearance(const Vector3d& center_W, double radius, TimeSpan span) const;

  /// No gap is ever smaller than the distance from these bounds. By default nothing is known: without limits.
  virtual Bounds bounds() const { return {}; }

  /// It is a single plane: what it is like at one point says what it is like at all others.
  virtual bool isPlane() const { return false; }

  /// The planes that are among what it consists of. Whatever else is there, nothing may be below one of them: a point
  /// in an inner corner touches them all, and at() says the nearest.
  virtual int planeCount() const { return 0; }
  virtual SurfacePoint atPlane(int /*index*/, const Vector3d& p_W, TimeSpan span) const { return at(p_W, span); }

  /// The blocks that it consists of, and where they are at a time. Their sizes never change.
  virtual int blockCount() const { return 0; }
  virtual GroundBlock block(int index, double time) const;

  /// It has other surfaces than planes and blocks: hills, which may poke into a shape between its corners.
  virtual bool hasHills() const { return !isPlane() && blockCount() == 0; }

  /// No valley near there is narrower than a ball that is there: it touches in one place at most. By default nothing is
  /// known.
  virtual bool touchesOnce(const Vector3d& /*center_W*/, double /*radius*/, TimeSpan /*span*/) const {
    return !hasHills();
  }

  /// What it looks like, around a place where it has no end. By default how high it is.
  virtual GroundDrawing drawing(const Vector3d& around_W) const { return drawByHeights(*this, around_W); }
};

/// A plane through a point, of any incline.
class Plane : public Terrain {
 public:
  Plane() : Plane(Vector3d::Zero(), Vector3d::UnitZ(), Material{}) {}
  /// @param normal outward; need not have length one, must not be zero
  Plane(const Vector3d& point, const Vector3d& normal, const Material& material);
  Plane(const Vector3d& point, const Vector3d& normal, double friction, double restitution)
      : Plane(point, normal, Material{friction, restitution}) {}

  SurfacePoint at(const Vector3d& p_W, TimeSpan span) const override;
  double clearance(const Vector3d& center_W, double radius, TimeSpan span) const override;
  bool isPlane() const override { return true; }
  GroundDrawing drawing(const Vector3d& around_W) const override;

 private:
  double gap(const Vector3d& p_W) const { return R_WC_.col(2).dot(p_W - point_); }

  Vector3d point_;
  Matrix3d R_WC_;
  Material material_;
};

}  // namespace footfall

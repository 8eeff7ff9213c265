#pragma once

#include <limits>
#include <span>
#include <vector>

#include "footfall/spatial/pose.hpp"

namespace footfall {

enum class ShapeKind { point, sphere, capsule, cylinder, circle, box, hull };

/// A ball around something.
struct BoundingSphere {
  Vector3d centre = Vector3d::Zero();  ///< [m]
  double radius = 0.0;                 ///< [m]
};

/// A convex body S fixed to a link L. Made by the functions below, which check the sizes and fill `bound`.
struct Shape {
  ShapeKind kind = ShapeKind::point;
  Pose X_LS;                              ///< z of S is the axis of round shapes, its origin is their middle
  double radius = 0.0;                    ///< of spheres, capsules, cylinders and circles [m]
  double half_length = 0.0;               ///< of the axis of cylinders, of the straight part of capsules [m]
  double face = 0.0;                      ///< radius of the face that spheres and capsules touch with: facePoint() [m]
  Vector3d half_size = Vector3d::Zero();  ///< of boxes [m]
  std::vector<Vector3d> vertices;         ///< of hulls, in S [m]
  BoundingSphere bound;                   ///< in the link frame L
};

// Each throws Error when a size is not positive (that of a capsule's straight part may be zero) or not finite.
Shape pointShape(const Pose& X_LS);
Shape sphereShape(const Pose& X_LS, double radius);
Shape capsuleShape(const Pose& X_LS, double radius, double length);  ///< length of the straight part
Shape cylinderShape(const Pose& X_LS, double radius, double length);
/// A wheel as thin as a knife's edge: only its rim touches.
Shape circleShape(const Pose& X_LS, double radius);
Shape boxShape(const Pose& X_LS, const Vector3d& size);
/// The corners of a convex body, such as the vertices of a ConvexHull; every one is a contact point.
Shape hullShape(const Pose& X_LS, std::vector<Vector3d> vertices);

/// A ball around all points, at most one percent larger than the smallest.
BoundingSphere boundingSphere(std::span<const Vector3d> points);

/// What is round touches with a small face, not with a point. The face is a circle of points around the place where the
/// exact shape touches, in the plane of the contact, with the same pressure on each: docs/theory.md §2. They stay where
/// they are in the axes of the contact while the shape turns.
///
/// So many are enough: with n points the friction of what slides at v while it turns at ω is that of a whole circle but
/// for terms of (v/(ω r))^(n − 1).
constexpr int kFacePoints = 6;
/// From the middle of a face to one of its points, in the axes of the contact [m].
Vector3d facePoint(double face, int point);

/// A place of a shape that can touch the ground.
struct ContactPoint {
  enum class Kind {
    ball,  ///< a ball around p_S, or p_S itself where the radius is zero
    rim,   ///< a circle about z of S with its middle at p_S; it touches where it is lowest
    ring,  ///< a point of the last rim before it, fixed to the shape: it carries when that rim lies flat on the ground
  };

  Vector3d p_S = Vector3d::Zero();  ///< in the shape's frame [m]
  double radius = 0.0;              ///< of the ball or rim [m]
  int feature = 0;  ///< which place of the shape it is, the same from step to step; < maxContactPoints()
  Kind kind = Kind::ball;
  Vector3d face_C = Vector3d::Zero();  ///< of a face: facePoint(); zero: it touches with a point [m]
};

/// How many points contactPoints() writes at most.
int maxContactPoints(const Shape& shape);

/// The places of a shape that can touch a ground that is flat where the shape is: the shape rests on the lowest ones as
/// on itself. Writes those whose height above the origin of S is at most `ceiling`. A rim is followed by its ring.
/// @param up_S outward normal of the ground, in the shape's frame; a unit vector
/// @param out room for maxContactPoints(shape)
/// @return how many points were written
int contactPoints(const Shape& shape, const Vector3d& up_S, std::span<ContactPoint> out,
                  double ceiling = std::numeric_limits<double>::infinity());

/// From the middle of a circle to its lowest point, in units of its radius. That point travels around the circle as it
/// rolls and rocks. Of a circle that lies flat all points are equally low and the direction means nothing: it shrinks
/// to zero there, smoothly, so that the point never jumps from one side to the other.
/// @param axis of the circle, a unit vector of any sign
/// @param up outward normal of the ground, a unit vector
Vector3d towardsLowestPoint(const Vector3d& axis, const Vector3d& up);

}  // namespace footfall

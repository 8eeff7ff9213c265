#pragma once

#include <limits>
#include <span>
#include <vector>

#include "footfall/spatial/pose.hpp"

namespace footfall {

enum class ShapeKind { point, sphere, capsule, cylinder, box, hull };

/// A ball around something.
struct BoundingSphere {
  Vector3d centre = Vector3d::Zero();  ///< [m]
  double radius = 0.0;                 ///< [m]
};

/// A convex body S fixed to a link L. Made by the functions below, which check the sizes and fill `bound`.
struct Shape {
  ShapeKind kind = ShapeKind::point;
  Pose X_LS;                              ///< the axis of capsules and cylinders is z of S, its origin is their middle
  double radius = 0.0;                    ///< of spheres, capsules and cylinders [m]
  double half_length = 0.0;               ///< of the axis of cylinders, of the straight part of capsules [m]
  Vector3d half_size = Vector3d::Zero();  ///< of boxes [m]
  std::vector<Vector3d> vertices;         ///< of hulls, in S [m]
  BoundingSphere bound;                   ///< in the link frame L
};

// Each throws Error when a size is not positive (that of a capsule's straight part may be zero) or not finite.
Shape pointShape(const Pose& X_LS);
Shape sphereShape(const Pose& X_LS, double radius);
Shape capsuleShape(const Pose& X_LS, double radius, double length);  ///< length of the straight part
Shape cylinderShape(const Pose& X_LS, double radius, double length);
Shape boxShape(const Pose& X_LS, const Vector3d& size);
/// The corners of a convex body, such as the vertices of a ConvexHull; every one is a contact point.
Shape hullShape(const Pose& X_LS, std::vector<Vector3d> vertices);

/// A ball around all points, at most one percent larger than the smallest.
BoundingSphere boundingSphere(std::span<const Vector3d> points);

/// A place of a shape that can touch the ground: a point, or a ball around it.
struct ContactPoint {
  Vector3d p_S = Vector3d::Zero();  ///< in the shape's frame [m]
  double radius = 0.0;              ///< [m]
  int feature = 0;  ///< which place of the shape it is, the same from step to step; < maxContactPoints()
};

/// How many points contactPoints() writes at most.
int maxContactPoints(const Shape& shape);

/// The points of a shape that can touch a ground that is flat where the shape is: the shape rests on their lowest ones
/// as on itself. Writes those whose height above the origin of S, up_S · p_S − radius, is at most `ceiling`.
///
/// All points are fixed to the shape, except two of a cylinder: the lowest points of its rims. Those travel around the
/// rims as it rolls and rocks, and into the middle of its ends as it comes to stand upright, without ever jumping.
/// @param up_S outward normal of the ground, in the shape's frame; a unit vector
/// @param out room for maxContactPoints(shape)
/// @return how many points were written
int contactPoints(const Shape& shape, const Vector3d& up_S, std::span<ContactPoint> out,
                  double ceiling = std::numeric_limits<double>::infinity());

}  // namespace footfall

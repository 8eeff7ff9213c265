#pragma once

#include <cstdint>

#include "footfall/collide/polytope.hpp"
#include "footfall/geometry/shape.hpp"

namespace footfall::collide {

/// A shape that is ready to meet others. Made once by makeSolid(); any number of bodies may share it.
///
/// All kinds but cylinders and circles are a polytope, `core`, with a layer of thickness `radius` around it.
struct Solid {
  ShapeKind kind = ShapeKind::point;
  Pose X_LS;                 ///< of the shape in its link
  double radius = 0.0;       ///< as in Shape [m]
  double half_length = 0.0;  ///< as in Shape [m]
  Polytope core;             ///< in S; of cylinders and circles nothing
  BoundingSphere bound_S;
  Vector3d box_centre_S = Vector3d::Zero();  ///< of the box along the axes of S around all of it [m]
  Vector3d box_half_S = Vector3d::Zero();    ///< half of its lengths [m]

  bool isRound() const { return kind == ShapeKind::cylinder || kind == ShapeKind::circle; }
};

Solid makeSolid(const Shape& shape);

/// A solid somewhere in the world.
struct Placed {
  const Solid* solid = nullptr;
  Pose X_WS;
  Vector3d centre_W = Vector3d::Zero();  ///< of the bounding sphere [m]
  /// Which of two solids of one kind comes first where they meet: the one with the smaller key.
  std::uint32_t key = 0;
};

/// @param solid must outlive the result
/// @param X_WL of the link that the shape is fixed to
Placed place(const Solid& solid, const Pose& X_WL, std::uint32_t key = 0);

/// A box along the axes of the world.
struct AxisAlignedBox {
  Vector3d lower = Vector3d::Zero();  ///< [m]
  Vector3d upper = Vector3d::Zero();  ///< [m]

  bool overlaps(const AxisAlignedBox& other) const {
    return (lower.array() <= other.upper.array()).all() && (other.lower.array() <= upper.array()).all();
  }
};

/// The smallest one around a solid, larger by `margin` on every side.
AxisAlignedBox boundsOf(const Placed& placed, double margin = 0.0);

/// One around the box of the solid in its own axes: larger, and quick for hulls of many corners.
AxisAlignedBox roughBoundsOf(const Placed& placed, double margin);

}  // namespace footfall::collide

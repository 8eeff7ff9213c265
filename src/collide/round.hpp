#pragma once

#include <cmath>

#include "collide/pair.hpp"

namespace footfall::collide {

/// A cylinder in the frame of its pair; a circle is one without length.
struct Round {
  Vector3d middle, axis;
  double radius, half_length;

  explicit Round(const Part& part)
      : middle(part.X_CS.p), axis(part.X_CS.R.col(2)), radius(part.solid.radius), half_length(part.solid.half_length) {}

  Vector3d across(const Vector3d& direction) const { return direction - direction.dot(axis) * axis; }
  Vector3d rimMiddle(bool upper) const {
    return upper ? Vector3d(middle + half_length * axis) : Vector3d(middle - half_length * axis);
  }

  /// One of its ends, as a disc.
  Round cap(bool upper) const {
    Round disc = *this;
    disc.middle = rimMiddle(upper);
    disc.half_length = 0.0;
    return disc;
  }

  /// How far it reaches along a direction.
  double reach(const Vector3d& direction) const {
    return direction.dot(middle) + half_length * std::abs(direction.dot(axis)) + radius * across(direction).norm();
  }

  /// A point that lies farthest along a direction; where a whole line or face does, its end or middle.
  Vector3d farthest(const Vector3d& direction) const;

  /// How far a point is outside, and which way out is shortest.
  struct WayOut {
    Vector3d direction;  ///< a unit vector, from the surface to the point where that is outside
    double distance;     ///< negative inside
  };
  WayOut wayOut(const Vector3d& p) const;

  /// Out of the side, whatever the ends are.
  WayOut wayOutOfSide(const Vector3d& p) const;
};

// Places of a round solid as features: those of its rims as the ground numbers them.
inline std::uint32_t rimFeature(bool upper, int point) { return vertexFeature(7 * (upper ? 1 : 0) + point); }
inline std::uint32_t crossingFeature(bool upper, bool later) {
  return edgeFeature(2 * (upper ? 1 : 0) + (later ? 1 : 0));
}
inline std::uint32_t lineFeature(int end) { return edgeFeature(4 + end); }
inline std::uint32_t capFeature(bool upper) { return faceFeature(upper ? 1 : 0); }
inline std::uint32_t curvedFeature() { return faceFeature(2); }

/// The best of all directions at right angles to an edge that keep the body of the edge on one side.
struct ArcBest {
  Vector3d normal = Vector3d::Zero();  ///< from the edge to the round solid
  double separation;
};

/// @param middle_of_arc a unit vector, at right angles to the edge
/// @param half_angle at most π [rad]
ArcBest bestOnArc(const Round& round, const Vector3d& point_of_edge, const Vector3d& along,
                  const Vector3d& middle_of_arc, double half_angle);

}  // namespace footfall::collide

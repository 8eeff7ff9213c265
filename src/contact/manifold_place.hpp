#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "footfall/collide/manifold.hpp"
#include "footfall/contact/contact_place.hpp"

namespace footfall {

/// A point where two solids touch, and how it lies on both: to find it again at other poses.
struct TouchPoint {
  std::uint32_t feature = 0;             ///< which of the points of the two, the same while they move a little
  Vector3d p_A = Vector3d::Zero();       ///< on A, in the frame that carries it [m]
  Vector3d p_B = Vector3d::Zero();       ///< on B, in the frame that carries it [m]
  Vector3d normal_B = Vector3d::Zero();  ///< outward of B, in the frame that carries it [-]
};

inline TouchPoint touchPoint(const collide::ManifoldPoint& point, const Pose& X_WA, const Pose& X_WB) {
  return {point.feature, X_WA.inverse() * point.p_WA, X_WB.inverse() * point.p_WB, X_WB.R.transpose() * point.normal_W};
}

/// The same point where A and B are now, `found` being all points of the two. Where other corners and edges are nearest
/// now it goes on along the plane in which it touched.
collide::ManifoldPoint followed(const TouchPoint& point, std::span<const collide::ManifoldPoint> found,
                                const Pose& X_WA, const Pose& X_WB);

/// Where two solids touch. Contacts of one pair are asked for one after the other: the points of the last pair are
/// kept. Scratch memory.
class PairManifold {
 public:
  /// Valid until the next call.
  /// @param apart of these two solids; may be null
  const std::vector<collide::ManifoldPoint>& of(const collide::Placed& a, const collide::Placed& b, double margin,
                                                collide::Apart* apart = nullptr);
  /// To be called when a solid has become another one.
  void forget() { a_.solid = nullptr; }

 private:
  collide::Placed a_, b_;
  double margin_ = 0.0;  ///< [m]
  collide::Scratch scratch_;
  std::vector<collide::ManifoldPoint> points_;
};

/// Axes of a contact with this normal. They must not jump where the normal trembles, or the warm start points elsewhere
/// in the next step; but there is no smooth choice for all normals. rotationWithZ() jumps at (0, 0, −1), where stacks
/// have theirs: here it is a direction that no box has.
Matrix3d axesAlong(const Vector3d& normal_W);

/// A number for the warm start, above `first`: contacts of solids are too many to be counted beforehand. Two of one
/// number would share a starting point, and nothing else.
int numberOfTouch(std::size_t first, std::uint32_t a, std::uint32_t b, std::uint32_t feature);

}  // namespace footfall

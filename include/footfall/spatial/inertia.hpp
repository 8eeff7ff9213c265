#pragma once

#include "footfall/spatial/pose.hpp"

namespace footfall {

/// Mass distribution of a rigid body, in a frame B of that body.
struct SpatialInertia {
  double mass = 0.0;                  ///< [kg]
  Vector3d com = Vector3d::Zero();    ///< centre of mass in B [m]
  Matrix3d I_com = Matrix3d::Zero();  ///< about the centre of mass, axes of B [kg m²]

  /// The same body seen from A.
  SpatialInertia expressedIn(const Pose& X_AB) const;

  /// Both bodies as one; both must be expressed in the same frame.
  SpatialInertia& operator+=(const SpatialInertia& other);
};

}  // namespace footfall

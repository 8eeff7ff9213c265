#pragma once

#include <string>

#include "footfall/model/index.hpp"
#include "footfall/spatial/pose.hpp"

namespace footfall {

/// A spring with a damper in line between a point A and a point B, of two links or of a link and the world.
struct PointSpring {
  std::string name;
  LinkIndex link_a;                 ///< not valid: the world
  LinkIndex link_b;                 ///< not valid: the world
  Vector3d p_A = Vector3d::Zero();  ///< in the frame of link a [m]
  Vector3d p_B = Vector3d::Zero();  ///< in the frame of link b [m]
  double stiffness = 0.0;           ///< [N/m]
  double damping = 0.0;             ///< [N s/m]
  double rest_length = 0.0;         ///< [m]
  /// Which parts of the links it pulls at, where fixed joints divide them; not valid: the links' own.
  FrameIndex frame_a = {}, frame_b = {};
};

/// A point that moves, in world axes.
struct MovingPoint {
  Vector3d p_W = Vector3d::Zero();  ///< [m]
  Vector3d v_W = Vector3d::Zero();  ///< [m/s]
};

/// Force on A, world axes; that on B is its opposite. Zero where the points meet: there is no line between them [N].
Vector3d forceOnA(const PointSpring& spring, const MovingPoint& a, const MovingPoint& b);

/// What the spring stores [J].
double energyOf(const PointSpring& spring, const Vector3d& p_WA, const Vector3d& p_WB);

}  // namespace footfall

#pragma once

#include <vector>

#include "robot_file/urdf_tree.hpp"

namespace footfall {

/// One degree of freedom of a URDF joint: planar and floating joints have several, one after the other.
struct SingleMotion {
  std::string name;
  JointKind kind;
  Vector3d axis;  ///< in the joint frame
};

/// From the parent outwards; none for a fixed joint.
std::vector<SingleMotion> motionsOf(const UrdfJoint& joint);

/// What becomes of a URDF joint in the model.
struct PlannedJoint {
  bool moves = false;
  int first_dof = -1;             ///< if it moves: coordinate of its first motion, the others follow
  double multiplier = 1.0;        ///< if it moves: as Joint::multiplier
  double offset = 0.0;            ///< if it moves: as Joint::offset
  std::vector<double> positions;  ///< if it does not: where each motion is locked [rad or m]
};

struct JointPlan {
  std::vector<PlannedJoint> joints;  ///< for each joint of the file
  std::vector<Dof> dofs;
  bool root_is_world = false;  ///< the root is the world, and its only joint is the floating base
};

/// Decides which joints move, which follow others, and which are locked where. Throws Error on wrong names in the
/// options, on mimic joints that follow nothing, and on coordinates that would move no mass.
JointPlan planJoints(const UrdfFile& file, const UrdfTree& tree, const UrdfOptions& options,
                     std::vector<Warning>& warnings);

}  // namespace footfall

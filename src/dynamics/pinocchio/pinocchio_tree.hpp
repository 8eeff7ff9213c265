#pragma once

#include <pinocchio/multibody/model.hpp>
#include <vector>

#include "footfall/model/model.hpp"

namespace footfall {

/// Our tree, as Pinocchio wants it: joints depth first, and every joint axis turned to z, because Pinocchio handles
/// that axis fastest. Its link frames E therefore differ from ours by a rotation.
struct PinocchioTree {
  pinocchio::Model model;
  std::vector<pinocchio::JointIndex> joint_of_link;  ///< Pinocchio's joint that moves a link; 0: the world
  std::vector<Matrix3d> R_EL;                        ///< our link frame in Pinocchio's, by link
  std::vector<int> columns;                          ///< of our joints among Pinocchio's velocities
  std::vector<int> positions;                        ///< of our joints among Pinocchio's; of a ball: its quaternion
  std::vector<int> balls;                            ///< the first of the three joints of each ball joint of ours
};

PinocchioTree makePinocchioTree(const Model& model);

/// Turns the root of a robot with a fixed base, whose joints hang on Pinocchio's world.
void placeRoot(const Model& model, const Matrix3d& R_WB, PinocchioTree& tree);

}  // namespace footfall

#pragma once

#include <vector>

#include "robot_file/urdf_file.hpp"

namespace footfall {

/// How the parts of a URDF file hang together; numbers are positions in UrdfFile::links and UrdfFile::joints.
struct UrdfTree {
  int root = -1;
  std::vector<int> child_of_joint;               ///< link moved by each joint
  std::vector<std::vector<int>> joints_of_link;  ///< joints that start at each link, in file order
  std::vector<bool> carries_mass;                ///< whether the link or anything below it has mass
};

/// Throws Error when names are doubled or unknown, or when the links are not one tree.
UrdfTree buildUrdfTree(const UrdfFile& file);

}  // namespace footfall

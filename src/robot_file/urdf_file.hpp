#pragma once

#include <optional>
#include <string>
#include <vector>

#include "footfall/robot_file/urdf.hpp"

namespace footfall {

// What a URDF file says, part by part and checked part by part; nothing is connected yet.

struct UrdfLink {
  std::string name;
  std::string where;
  SpatialInertia inertia;  ///< in the link frame; zero when the file gives none
};

enum class UrdfJointType { revolute, continuous, prismatic, fixed, planar, floating, ball };

/// position = multiplier · position of the other joint + offset
struct UrdfMimic {
  std::string where;
  std::string joint;
  double multiplier = 1.0;
  double offset = 0.0;  ///< [rad] or [m]
};

struct UrdfJoint {
  std::string name;
  std::string where;
  UrdfJointType type = UrdfJointType::fixed;
  std::string parent, child;  ///< names of links
  Pose X_PJ;                  ///< joint frame in the parent link at position zero
  Vector3d axis = Vector3d::UnitX();
  Dof properties;  ///< limits, damping, friction
  std::optional<UrdfMimic> mimic;

  bool movable() const { return type != UrdfJointType::fixed; }
};

/// A joint that closes a loop: SDF files have them.
struct FileLoop {
  std::string name;
  std::string where;
  LoopKind kind = LoopKind::weld;
  std::string link_a, link_b;
  Pose X_AF, X_BF;  ///< the loop's frame in both links, its axis along z
};

struct UrdfFile {
  std::string name;    ///< of the robot
  std::string source;  ///< for errors
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  std::vector<LinkGeometry> geometries;
  std::vector<FileLoop> loops = {};
  bool is_static = false;  ///< SDF: the model does not move
  bool is_sdf = false;
};

/// Throws Error on the first thing that cannot be right; appends what is only suspicious to `warnings`.
UrdfFile parseUrdfFile(const std::string& text, const std::string& source, std::vector<Warning>& warnings);

}  // namespace footfall

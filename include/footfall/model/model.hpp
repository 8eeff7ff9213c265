#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "footfall/model/index.hpp"
#include "footfall/spatial/inertia.hpp"
#include "footfall/spatial/pose.hpp"

namespace footfall {

/// A rigid body. Bodies joined by fixed or locked joints are one link; their names live on as frames.
struct Link {
  std::string name;
  SpatialInertia inertia;  ///< in the link frame
};

enum class JointKind { revolute, prismatic };

/// A joint with one degree of freedom. Its child is always the link of the next number, and its
/// child's frame coincides with the joint frame. URDF's planar and floating joints are chains of these.
struct Joint {
  std::string name;
  JointKind kind = JointKind::revolute;
  LinkIndex parent;                    ///< always smaller than the child
  Pose X_PJ;                           ///< joint frame in the parent link at position zero
  Vector3d axis = Vector3d::UnitZ();   ///< unit vector, in the joint frame [-]
  DofIndex dof;                        ///< the coordinate that drives this joint
  double multiplier = 1.0;             ///< joint position = multiplier · s[dof] + offset (mimic joints)
  double offset = 0.0;                 ///< [rad] or [m]
};

/// An independent joint coordinate s[i], with what the model file says about it.
struct Dof {
  std::string name;
  JointKind kind = JointKind::revolute;
  double lower = -std::numeric_limits<double>::infinity();  ///< [rad] or [m]
  double upper = std::numeric_limits<double>::infinity();   ///< [rad] or [m]
  double max_velocity = std::numeric_limits<double>::infinity();  ///< [rad/s] or [m/s]
  double max_effort = std::numeric_limits<double>::infinity();    ///< [N m] or [N]
  double damping = 0.0;            ///< viscous, [N m s/rad] or [N s/m]
  double friction = 0.0;           ///< Coulomb, [N m] or [N]
  double reflected_inertia = 0.0;  ///< of the motor, seen at the joint, [kg m²] or [kg]
};

/// A named frame F fixed to a link L: every link and every lumped link of the file has one.
struct Frame {
  std::string name;
  LinkIndex link;
  Pose X_LF;
};

/// A point that may touch the ground.
struct ContactCandidate {
  std::string name;  ///< "l_sole[2]"
  FrameIndex frame;  ///< the sole it belongs to
  LinkIndex link;
  Vector3d p_LC = Vector3d::Zero();  ///< in the link frame [m]
  double radius = 0.0;  ///< of a sphere around the point; 0: a point [m]
};

/// A robot: a tree of links, immutable once loaded. Plain data; model_io fills it.
struct Model {
  std::string name;
  bool floating_base = true;
  Vector3d gravity{0.0, 0.0, -9.81};  ///< in the world [m/s²]

  std::vector<Link> links;    ///< at least the base
  std::vector<Joint> joints;  ///< joints[j] moves links[j + 1]
  std::vector<Dof> dofs;
  std::vector<Frame> frames;
  std::vector<ContactCandidate> candidates;

  int baseDofs() const { return floating_base ? 6 : 0; }
  int jointDofs() const { return static_cast<int>(dofs.size()); }
  int nv() const { return baseDofs() + jointDofs(); }  ///< size of ν
  int nq() const { return 7 + jointDofs(); }           ///< size of q
  bool hasMimicJoints() const { return joints.size() != dofs.size(); }
  double totalMass() const;  ///< [kg]

  /// Index of a name; throws Error with the nearest names when there is none.
  FrameIndex frame(std::string_view name) const;
  LinkIndex link(std::string_view name) const;
  DofIndex dof(std::string_view name) const;
};

}  // namespace footfall

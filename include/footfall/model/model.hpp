#pragma once

#include <algorithm>
#include <compare>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "footfall/geometry/shape.hpp"
#include "footfall/model/index.hpp"
#include "footfall/model/joint_kind.hpp"
#include "footfall/model/point_spring.hpp"
#include "footfall/spatial/inertia.hpp"
#include "footfall/spatial/pose.hpp"

namespace footfall {

/// A rigid body. Bodies joined by fixed or locked joints are one link; their names live on as frames.
struct Link {
  std::string name;
  SpatialInertia inertia;  ///< in the link frame
};

/// A joint with one degree of freedom; or what the base of a further body hangs on, beside the first one. Its child is
/// always the link of the next number, and its child's frame coincides with the joint frame. URDF's planar and floating
/// joints are chains of joints with one degree of freedom.
///
/// A ball joint is three of them in a row, of kind `ball`, about x, y and z of the same frame, with links without mass
/// between them that carry nothing else. Its three coordinates follow each other and are the rotation vector θ of the
/// child in the joint frame; its three velocities are the child's angular velocity in the axes of the joint frame, as
/// those of a floating base are in the axes of the world. So θ̇ is not ω: who moves, compares or subtracts positions
/// uses footfall/model/ball_joint.hpp.
struct Joint {
  std::string name;
  JointKind kind = JointKind::revolute;
  LinkIndex parent;                   ///< always smaller than the child; not valid: the world, of a further body
  Pose X_PJ;                          ///< joint frame in the parent link, or in the world, at position zero
  Vector3d axis = Vector3d::UnitZ();  ///< unit vector, in the joint frame [-]
  DofIndex dof;                       ///< the coordinate that drives this joint; not valid: of a further body
  double multiplier = 1.0;            ///< joint position = multiplier · s[dof] + offset (mimic joints)
  double offset = 0.0;                ///< [rad] or [m]
  int body = -1;                      ///< of a free joint: which of the further bodies it moves
};

/// An independent joint coordinate s[i], with what the model file says about it.
struct Dof {
  std::string name;
  JointKind kind = JointKind::revolute;
  double lower = -std::numeric_limits<double>::infinity();        ///< [rad] or [m]
  double upper = std::numeric_limits<double>::infinity();         ///< [rad] or [m]
  double max_velocity = std::numeric_limits<double>::infinity();  ///< [rad/s] or [m/s]
  double max_effort = std::numeric_limits<double>::infinity();    ///< [N m] or [N]
  double damping = 0.0;                                           ///< viscous, [N m s/rad] or [N s/m]
  double friction = 0.0;                                          ///< Coulomb, [N m] or [N]
  double reflected_inertia = 0.0;                                 ///< of the motor, seen at the joint, [kg m²] or [kg]
  double spring_stiffness = 0.0;                                  ///< of a spring in the joint, [N m/rad] or [N/m]
  double spring_reference = 0.0;                                  ///< where that spring is at rest, [rad] or [m]
  /// It follows the motion that Input gives it, whatever that takes: limits and friction do not hold it back.
  bool prescribed = false;
};

/// A named frame F fixed to a link L: every link and every lumped link of the file has one.
struct Frame {
  std::string name;
  LinkIndex link;
  Pose X_LF;
};

/// A fixed or locked joint of the file. It does not move, so both of its sides are one link; but a force/torque sensor
/// may sit in it, and then it matters what hangs below. Numbers below it lie in a row, as the file is walked depth
/// first.
struct FixedJoint {
  std::string name;
  FrameIndex frame;        ///< of its child; frames from here to `frames_end` lie below it
  FrameIndex frames_end;   ///< the first one that does not
  LinkIndex links_begin;   ///< links from here to `links_end` hang below it by joints that move
  LinkIndex links_end;     ///< the first one that does not
  SpatialInertia inertia;  ///< of the part of its own link that lies below it, in the link frame
};

/// A point that may touch the ground.
struct ContactCandidate {
  std::string name;  ///< "l_sole[2]"
  FrameIndex frame;  ///< the sole it belongs to
  LinkIndex link;
  Vector3d p_LC = Vector3d::Zero();  ///< in the link frame [m]
  double radius = 0.0;               ///< of a sphere around the point; 0: a point [m]
  /// Of a face, all points of which are candidates, one behind the other: facePoint(). Zero: it touches with a point
  /// [m]
  Vector3d face_C = Vector3d::Zero();
};

/// A body of a link that may touch the ground, and shapes of other links. Its contact points with the ground are
/// candidates of their own, after all the others: point `feature` of the shape is candidate first_candidate + feature.
/// How well the shape of a mesh follows it: the mesh touches as its convex hull.
struct MeshFit {
  bool is_mesh = false;
  double outside = 0.0;  ///< how far the mesh reaches out of its hull at most, which has few corners [m]
  double filled = 1.0;   ///< volume of the mesh as a share of its hull's: less than 1 where it is not convex [-]
};

struct CollisionShape {
  FrameIndex frame;  ///< of the link of the file that it belongs to
  LinkIndex link;
  Shape shape;  ///< in the link frame
  int first_candidate = 0;
  bool meets_ground = true;
  bool meets_shapes = false;  ///< those of other links that do so, too
  double friction = 0.6;      ///< where it meets another shape: see Model::pairMaterial() [-]
  double restitution = 0.0;   ///< [-]
  MeshFit mesh = {};
};

/// Two collision shapes by their numbers, a < b.
struct ShapePair {
  int a = 0, b = 0;
  friend auto operator<=>(const ShapePair&, const ShapePair&) = default;
};

/// Friction and restitution of a pair of shapes.
struct PairMaterial {
  ShapePair pair;
  double friction = 0.0;     ///< [-]
  double restitution = 0.0;  ///< [-]
};

/// What a loop leaves free between its two frames. The axis is z of both frames.
enum class LoopKind {
  ball,    ///< every rotation
  hinge,   ///< rotation about the axis
  slider,  ///< translation along the axis
  weld,    ///< nothing
};

/// Two frames that stay together: it closes a kinematic chain, or ties a link to the world. Those of a model stay,
/// those of a state (State::ties) are made and released.
struct Loop {
  std::string name;
  LoopKind kind = LoopKind::weld;
  LinkIndex link_a;  ///< not valid: the world
  LinkIndex link_b;  ///< not valid: the world
  Pose X_AF;         ///< the frame on link a
  Pose X_BF;         ///< the frame on link b
  /// Which parts of the links are held, where fixed joints divide them; not valid: the links' own.
  FrameIndex frame_a = {}, frame_b = {};

  /// To the bit.
  friend bool operator==(const Loop& a, const Loop& b) {
    return a.name == b.name && a.kind == b.kind && a.link_a == b.link_a && a.link_b == b.link_b &&
           a.X_AF.R == b.X_AF.R && a.X_AF.p == b.X_AF.p && a.X_BF.R == b.X_BF.R && a.X_BF.p == b.X_BF.p &&
           a.frame_a == b.frame_a && a.frame_b == b.frame_b;
  }
};

/// A motor with its gear. Torques, speeds and friction count behind the gear, the rotor's inertia before it.
struct Motor {
  std::string name{};
  double gear_ratio = 1.0;     ///< turns of the rotor for one turn behind the gear [-]
  double rotor_inertia = 0.0;  ///< [kg m²]
  /// ω and ζ of the torque's answer to a command, τ̈ + 2 ζ ω τ̇ + ω² τ = ω² τ_cmd; infinite ω: it follows at once
  double natural_frequency = std::numeric_limits<double>::infinity();  ///< [rad/s]
  double damping_ratio = 1.0;                                          ///< [-]
  double max_torque = std::numeric_limits<double>::infinity();         ///< [N m]
  double max_speed = std::numeric_limits<double>::infinity();          ///< [rad/s]
  double viscous = 0.0;                                                ///< friction [N m s/rad]
  double coulomb = 0.0;                                                ///< friction [N m]

  bool followsAtOnce() const { return natural_frequency == std::numeric_limits<double>::infinity(); }
  /// Delivers every command, whatever it is.
  bool ideal() const {
    constexpr double kNoLimit = std::numeric_limits<double>::infinity();
    return followsAtOnce() && max_torque == kNoLimit && max_speed == kNoLimit;
  }
};

/// Motors that move joints together: ṡ = T θ̇ with the motors' speeds θ̇ behind their gears, and so τ = T⁻ᵀ τ_motor.
struct Transmission {
  std::vector<DofIndex> dofs;
  std::vector<Motor> motors;  ///< as many as dofs
  MatrixXd T;                 ///< square and invertible [-, or m/rad for joints that slide]
};

/// Inertia that couples two different coordinates: M(a, b) and M(b, a) grow by it. Rotors that turn with several joints
/// make such terms; what a rotor adds to the diagonal is in Dof::reflected_inertia.
struct InertiaCoupling {
  DofIndex a, b;
  double inertia = 0.0;  ///< [kg m²]
};

/// A robot, and what else there is in its world: trees of links, immutable once loaded. Plain data; robot_file fills
/// it. The first link is the base of the first tree; every further tree is a body that hangs on a free or fixed joint.
struct Model {
  std::string name;
  bool floating_base = true;
  Vector3d gravity{0.0, 0.0, -9.81};  ///< in the world [m/s²]

  std::vector<Link> links;    ///< at least the base
  std::vector<Joint> joints;  ///< joints[j] moves links[j + 1]
  std::vector<Dof> dofs;
  std::vector<Frame> frames;
  std::vector<FixedJoint> fixed_joints;
  std::vector<ContactCandidate> candidates;
  std::vector<CollisionShape> shapes;
  std::vector<ShapePair> untouched_pairs;    ///< that pass through each other, in ascending order
  std::vector<PairMaterial> pair_materials;  ///< where they are not those of pairMaterial(), in ascending order
  std::vector<Loop> loops;
  std::vector<PointSpring> point_springs;
  std::vector<InertiaCoupling> couplings;
  std::vector<Transmission> transmissions;  ///< joints that none of them drives get their torques directly
  std::vector<DofIndex> balls;              ///< the first of the three coordinates of each ball joint, ascending
  bool has_faces = false;                   ///< some candidates are points of faces
  int further_bodies = 0;                   ///< trees besides the first one
  int free_bodies = 0;                      ///< those of them that float: q and ν hold their bases behind all joints

  /// Candidates that are points or balls of their own; those of shapes follow.
  int pointCandidates() const {
    return shapes.empty() ? static_cast<int>(candidates.size()) : shapes.front().first_candidate;
  }
  /// Room for contacts to begin with. It grows where there are more: of many points, of points in inner corners of the
  /// ground, and where shapes touch each other or edges of the ground.
  int usualContacts() const {
    const bool rarely_all = collides() || further_bodies > 0 || has_faces;
    return rarely_all ? kUsualContacts : std::min(static_cast<int>(candidates.size()), kUsualGroundContacts);
  }
  static constexpr int kUsualContacts = 64, kUsualGroundContacts = 160;

  /// Some shape meets those of other links.
  bool collides() const;
  /// Of two shapes that meet: the geometric mean of their friction and the larger restitution, unless it is given.
  PairMaterial pairMaterial(ShapePair pair) const;

  int baseDofs() const { return floating_base ? 6 : 0; }
  int jointDofs() const { return static_cast<int>(dofs.size()); }
  int nv() const { return freeVelocity(free_bodies); }                              ///< size of ν
  int nq() const { return freePosition(free_bodies); }                              ///< size of q
  int freeVelocity(int body) const { return baseDofs() + jointDofs() + 6 * body; }  ///< where a further body is in ν
  int freePosition(int body) const { return 7 + jointDofs() + 7 * body; }           ///< where its base is in q
  bool hasMimicJoints() const { return joints.size() != dofs.size() + static_cast<std::size_t>(further_bodies); }

  /// The joints of a vector like q, or like ν.
  template <class Positions>
  auto jointPositions(Positions&& q) const {
    return q.segment(7, jointDofs());
  }
  template <class Velocities>
  auto jointVelocities(Velocities&& nu) const {
    return nu.segment(baseDofs(), jointDofs());
  }
  double totalMass() const;       ///< [kg]
  int motors() const;             ///< of all transmissions
  bool hasMotorDynamics() const;  ///< some motor takes its time to follow a command
  bool hasPrescribedJoints() const;
  std::vector<FrameIndex> soles() const;  ///< frames with contact candidates, each once, in the order of these

  /// Index of a name; throws Error with the nearest names when there is none.
  FrameIndex frame(std::string_view name) const;
  LinkIndex link(std::string_view name) const;
  DofIndex dof(std::string_view name) const;
};

}  // namespace footfall

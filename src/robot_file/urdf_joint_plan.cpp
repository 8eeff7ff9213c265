#include "robot_file/urdf_joint_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"

namespace footfall {
namespace {

/// position = multiplier · position of the leader + offset; a joint without mimic leads itself.
struct Following {
  int leader = -1;
  double multiplier = 1.0;
  double offset = 0.0;
};

class JointPlanner {
 public:
  JointPlanner(const UrdfFile& file, const UrdfTree& tree, const UrdfOptions& options, std::vector<Warning>& warnings)
      : file_(file), tree_(tree), options_(options), warnings_(warnings) {
    for (std::size_t j = 0; j < file.joints.size(); ++j) positions_.emplace(file.joints[j].name, static_cast<int>(j));
  }

  JointPlan plan() {
    plan_.joints.resize(file_.joints.size());
    plan_.root_is_world = rootIsWorld();
    for (std::size_t j = 0; j < file_.joints.size(); ++j) following_.push_back(resolveMimic(static_cast<int>(j)));
    checkPositionNames();
    for (const int joint : wantedJoints()) addCoordinates(joint);
    for (std::size_t j = 0; j < file_.joints.size(); ++j) finish(static_cast<int>(j));
    return std::move(plan_);
  }

 private:
  bool rootIsWorld() const {
    const std::vector<int>& joints = tree_.joints_of_link[tree_.root];
    return joints.size() == 1 && file_.joints[joints[0]].type == UrdfJointType::floating &&
           file_.links[tree_.root].inertia.mass == 0.0;
  }

  bool isBaseJoint(int joint) const { return plan_.root_is_world && joint == tree_.joints_of_link[tree_.root][0]; }

  /// Has coordinates that may be chosen: neither fixed, nor a follower, nor the floating base.
  bool isIndependent(int joint) const {
    return file_.joints[joint].movable() && !file_.joints[joint].mimic && !isBaseJoint(joint);
  }

  Following resolveMimic(int joint) const {
    Following result{joint, 1.0, 0.0};
    std::size_t length = 0;
    while (const auto& mimic = file_.joints[result.leader].mimic) {
      const auto found = positions_.find(mimic->joint);
      if (found == positions_.end()) {
        throw Error(mimic->where,
                    fmt::format("joint '{}' mimics '{}', which is no joint of this robot",
                                file_.joints[result.leader].name, mimic->joint),
                    suggestOrList(mimic->joint, independentNames()));
      }
      result = {found->second, result.multiplier * mimic->multiplier,
                result.multiplier * mimic->offset + result.offset};
      if (++length > file_.joints.size())
        throw Error(mimic->where, fmt::format("joint '{}' mimics itself in the end", file_.joints[joint].name));
    }
    const UrdfJoint& leader = file_.joints[result.leader];
    if (length > 0 && motionsOf(file_.joints[joint]).size() > 1) {
      throw Error(file_.joints[joint].where, fmt::format("joint '{}' mimics '{}', but has several coordinates",
                                                         file_.joints[joint].name, leader.name));
    }
    if (length > 0 && motionsOf(leader).size() > 1) {
      throw Error(file_.joints[joint].where, fmt::format("joint '{}' mimics '{}', which has several coordinates",
                                                         file_.joints[joint].name, leader.name));
    }
    return result;
  }

  std::vector<std::string> independentNames() const {
    std::vector<std::string> names;
    for (std::size_t j = 0; j < file_.joints.size(); ++j)
      if (isIndependent(static_cast<int>(j))) names.push_back(file_.joints[j].name);
    return names;
  }

  /// Why a joint named in the options cannot be used, if it cannot.
  [[noreturn]] void throwNotIndependent(const std::string& name) const {
    const auto found = positions_.find(name);
    if (found == positions_.end())
      throw Error(file_.source, fmt::format("there is no joint '{}'", name), suggestOrList(name, independentNames()));
    const UrdfJoint& joint = file_.joints[found->second];
    if (joint.mimic) {
      const std::string& leader = file_.joints[following_[found->second].leader].name;
      throw Error(joint.where, fmt::format("joint '{}' has no position of its own: it mimics '{}'", name, leader),
                  fmt::format("name '{}' instead", leader));
    }
    throw Error(joint.where,
                fmt::format("joint '{}' cannot move: it is {}", name, joint.movable() ? "the floating base" : "fixed"));
  }

  /// The same for positions, which belong to coordinates: a joint may have several.
  [[noreturn]] void throwNoCoordinate(const std::string& name, const std::vector<std::string>& known) const {
    const auto found = positions_.find(name);
    if (found == positions_.end())
      throw Error(file_.source, fmt::format("there is no joint '{}'", name), suggestOrList(name, known));
    if (!isIndependent(found->second)) throwNotIndependent(name);
    std::string coordinates;
    for (const SingleMotion& motion : motionsOf(file_.joints[found->second]))
      coordinates += (coordinates.empty() ? "'" : ", '") + motion.name + "'";
    throw Error(file_.joints[found->second].where, fmt::format("joint '{}' has several coordinates", name),
                "name one of them: " + coordinates);
  }

  void checkPositionNames() const {
    std::vector<std::string> known;
    for (std::size_t j = 0; j < file_.joints.size(); ++j)
      if (isIndependent(static_cast<int>(j)))
        for (const SingleMotion& motion : motionsOf(file_.joints[j])) known.push_back(motion.name);
    for (const auto& [name, position] : options_.positions) {
      if (std::find(known.begin(), known.end(), name) == known.end()) throwNoCoordinate(name, known);
      if (!std::isfinite(position))
        throw Error(file_.source,
                    fmt::format("the position of joint '{}' is {}, expected a finite number", name, position));
    }
  }

  std::vector<int> wantedJoints() const {
    std::vector<int> wanted;
    const bool all = options_.joints.empty();
    for (const std::string& name : all ? independentNames() : options_.joints) {
      const auto found = positions_.find(name);
      if (found == positions_.end() || !isIndependent(found->second)) throwNotIndependent(name);
      if (std::find(wanted.begin(), wanted.end(), found->second) != wanted.end())
        throw Error(file_.source, fmt::format("joint '{}' is listed twice", name));
      wanted.push_back(found->second);
    }
    return wanted;
  }

  bool movesMass(int joint) const {
    for (std::size_t j = 0; j < file_.joints.size(); ++j)
      if (following_[j].leader == joint && file_.joints[j].movable() && tree_.carries_mass[tree_.child_of_joint[j]])
        return true;
    return false;
  }

  void addCoordinates(int index) {
    const UrdfJoint& joint = file_.joints[index];
    if (!movesMass(index)) {
      reportMassless(joint);
      return;
    }
    plan_.joints[index].moves = true;
    plan_.joints[index].first_dof = static_cast<int>(plan_.dofs.size());
    for (const SingleMotion& motion : motionsOf(joint)) {
      Dof dof = joint.properties;
      dof.name = motion.name;
      dof.kind = motion.kind;
      plan_.dofs.push_back(dof);
    }
  }

  void reportMassless(const UrdfJoint& joint) {
    const std::string what = fmt::format("joint '{}' moves link '{}', which has no mass, and nothing below it has any",
                                         joint.name, joint.child);
    const bool chosen = !options_.joints.empty();
    if (options_.massless_links == MasslessLinks::error || chosen) {
      throw Error(joint.where, what,
                  chosen ? "take it off the list of joints"
                         : "give it an <inertial>, make the joint fixed, or choose massless_links: ignore to lock it");
    }
    warnings_.push_back({joint.where, what + "; it is locked"});
  }

  /// Followers take over what was decided for their leaders; what does not move is locked.
  void finish(int index) {
    const Following& follow = following_[index];
    PlannedJoint& planned = plan_.joints[index];
    const PlannedJoint& leader = plan_.joints[follow.leader];
    if (!file_.joints[index].movable()) return;
    if (leader.moves) {
      planned.moves = true;
      planned.first_dof = leader.first_dof;
      planned.multiplier = follow.multiplier;
      planned.offset = follow.offset;
      if (file_.joints[index].mimic) addToLeader(file_.joints[index].properties, follow, plan_.dofs[leader.first_dof]);
      if (file_.joints[index].mimic) warnBeyondStops(file_.joints[index], follow);
      return;
    }
    if (file_.joints[index].mimic && !file_.joints[follow.leader].movable())
      warnFixedLeader(file_.joints[index], follow);
    for (const SingleMotion& motion : motionsOf(file_.joints[follow.leader]))
      planned.positions.push_back(follow.multiplier * lockedPosition(motion.name) + follow.offset);
    // A leader that is fixed has no motion: it stands at zero.
    if (planned.positions.empty()) planned.positions.push_back(follow.offset);
    warnOutsideLimits(file_.joints[index], planned.positions[0]);
  }

  /// The work of what damps, rubs and pulls in a follower, x = m s + o, is done at the coordinate s that it shares with
  /// its leader. Two springs there are one, with the sum of their stiffness, at rest where they balance each other.
  static void addToLeader(const Dof& own, const Following& follow, Dof& dof) {
    const double m = follow.multiplier;
    dof.damping += m * m * own.damping;
    dof.friction += std::abs(m) * own.friction;
    const double stiffness = m * m * own.spring_stiffness;
    if (stiffness == 0.0) return;
    const double rest = (own.spring_reference - follow.offset) / m;
    dof.spring_reference += stiffness / (dof.spring_stiffness + stiffness) * (rest - dof.spring_reference);
    dof.spring_stiffness += stiffness;
  }

  double lockedPosition(const std::string& coordinate) const {
    const auto found = options_.positions.find(coordinate);
    return found == options_.positions.end() ? 0.0 : found->second;
  }

  void warnOutsideLimits(const UrdfJoint& joint, double position) {
    const Dof& limits = joint.properties;
    if (position >= limits.lower && position <= limits.upper) return;
    warnings_.push_back(
        {joint.where, fmt::format("joint '{}' is locked at {:.6g}, outside of its limits {:.6g} to {:.6g}", joint.name,
                                  position, limits.lower, limits.upper)});
  }

  void warnFixedLeader(const UrdfJoint& joint, const Following& follow) {
    warnings_.push_back(
        {joint.mimic->where, fmt::format("joint '{}' mimics '{}', which is fixed: it is fixed, too, at {:.6g}",
                                         joint.name, file_.joints[follow.leader].name, follow.offset)});
  }

  /// Stops of followers are not those of the mechanism: files have them for programs that know no mimic joints, and not
  /// always with the right sign.
  void warnBeyondStops(const UrdfJoint& joint, const Following& follow) {
    constexpr double kSame = 1e-3;  // [rad, m] files round
    const Dof &own = joint.properties, &leader = file_.joints[follow.leader].properties;
    const double ends[2] = {follow.multiplier * leader.lower + follow.offset,
                            follow.multiplier * leader.upper + follow.offset};
    const auto [least, most] = std::minmax(ends[0], ends[1]);
    if (!(least < own.lower - kSame || most > own.upper + kSame)) return;
    warnings_.push_back(
        {joint.where,
         fmt::format("joint '{}' goes from {:.6g} to {:.6g} as it mimics '{}', beyond its own limits {:.6g} "
                     "to {:.6g}, which are not used",
                     joint.name, least, most, file_.joints[follow.leader].name, own.lower, own.upper)});
  }

  const UrdfFile& file_;
  const UrdfTree& tree_;
  const UrdfOptions& options_;
  std::vector<Warning>& warnings_;
  std::unordered_map<std::string, int> positions_;  ///< of joints in the file, by name
  std::vector<Following> following_;
  JointPlan plan_;
};

}  // namespace

std::vector<SingleMotion> motionsOf(const UrdfJoint& joint) {
  using enum JointKind;
  const std::string& name = joint.name;
  switch (joint.type) {
    case UrdfJointType::fixed:
      return {};
    case UrdfJointType::revolute:
    case UrdfJointType::continuous:
      return {{name, revolute, joint.axis}};
    case UrdfJointType::prismatic:
      return {{name, prismatic, joint.axis}};
    case UrdfJointType::planar: {
      const Matrix3d R = rotationWithZ(joint.axis);  // the axis is the normal of the plane
      return {
          {name + "_x", prismatic, R.col(0)}, {name + "_y", prismatic, R.col(1)}, {name + "_yaw", revolute, R.col(2)}};
    }
    case UrdfJointType::ball:
      return {{name + "_x", ball, Vector3d::UnitX()},
              {name + "_y", ball, Vector3d::UnitY()},
              {name + "_z", ball, Vector3d::UnitZ()}};
    case UrdfJointType::floating:
      return {{name + "_x", prismatic, Vector3d::UnitX()}, {name + "_y", prismatic, Vector3d::UnitY()},
              {name + "_z", prismatic, Vector3d::UnitZ()}, {name + "_rx", ball, Vector3d::UnitX()},
              {name + "_ry", ball, Vector3d::UnitY()},     {name + "_rz", ball, Vector3d::UnitZ()}};
  }
  return {};
}

JointPlan planJoints(const UrdfFile& file, const UrdfTree& tree, const UrdfOptions& options,
                     std::vector<Warning>& warnings) {
  return JointPlanner(file, tree, options, warnings).plan();
}

}  // namespace footfall

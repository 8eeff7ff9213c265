#include "scene/posture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "footfall/base/error.hpp"
#include "footfall/contact/loop_assembly.hpp"
#include "footfall/model/tree.hpp"
#include "footfall/spatial/internal/least_squares.hpp"
#include "scene/at_place.hpp"

namespace footfall {
namespace {

/// Distance from the centre of mass to the farthest link [m].
double sizeOf(const RobotDynamics& dynamics) {
  const Vector3d com = dynamics.centerOfMass();
  double size = 0.0;
  for (int k = 0; k < static_cast<int>(dynamics.model().links.size()); ++k)
    size = std::max(size, (dynamics.linkPose(LinkIndex(k)).p - com).norm());
  return size > 0.0 ? size : 1.0;
}

DofIndex findDof(const Model& model, const std::string& name, const std::string& where) {
  return atPlace(where, [&] { return model.dof(name); });
}

void setSingleGains(const std::map<std::string, double>& gains, const std::string& where, const Model& model,
                    VectorXd& values) {
  for (const auto& [name, value] : gains) values[findDof(model, name, where)] = value;
}

/// 1 for the joints that are held, 0 for the others.
VectorXd heldJoints(const SceneHold& hold, const Model& model) {
  if (hold.joints.empty()) return VectorXd::Ones(model.jointDofs());
  VectorXd held = VectorXd::Zero(model.jointDofs());
  for (const std::string& name : hold.joints) held[findDof(model, name, hold.where)] = 1.0;
  return held;
}

/// 1 for the joints that a torque can hold: those with a drive of their own need no other, but carry their share.
VectorXd carryingJoints(const SceneHold& hold, const Model& model) {
  VectorXd carrying = heldJoints(hold, model);
  for (int i = 0; i < model.jointDofs(); ++i)
    if (model.dofs[i].prescribed) carrying[i] = 1.0;
  return carrying;
}

/// Prescribed joints are moved by their drives alone.
void leaveToDrives(const Model& model, VectorXd& values) {
  for (int i = 0; i < model.jointDofs(); ++i)
    if (model.dofs[i].prescribed) values[i] = 0.0;
}

/// Where only some joints have motors, or loops carry forces too: the smallest torques and forces that together hold
/// the robot, S τ + Jᵀ f + J_hᵀ λ = g.
VectorXd torqueOfHeldJoints(const SceneHold& hold, const Model& model, const VectorXd& gravity, const MatrixXd& J,
                            Dynamics& dynamics) {
  const int n = model.jointDofs();
  const MatrixXd J_loops = loopJacobian(model, dynamics);
  MatrixXd forces = MatrixXd::Zero(model.nv(), n + J.rows() + J_loops.rows());
  forces.block(model.baseDofs(), 0, n, n) = carryingJoints(hold, model).asDiagonal();
  forces.middleCols(n, J.rows()) = J.transpose();
  forces.rightCols(J_loops.rows()) = J_loops.transpose();
  return leastSquares(forces, gravity).head(n);
}

}  // namespace

JointSprings holdingSprings(const SceneHold& hold, const Model& model, const State& state, const Dynamics& dynamics) {
  // A robot of weight W balanced at the height L topples unless its ankles are stiffer than W L: ten times that for
  // each joint, with a damper that settles it in a twentieth of a second.
  constexpr double kSafety = 10.0;
  constexpr double kRelaxation = 0.05;  // [s]
  const int n = model.jointDofs();
  JointSprings springs{VectorXd(n), VectorXd(n), state.joints()};
  const std::vector<Tree> trees = treesOf(model);
  for (std::size_t k = 0; k < trees.size(); ++k) {
    // By what hangs on its own joints: what else is in the world must not change how stiff a robot is.
    const Tree& tree = trees[k];
    if (tree.dofs() == 0) continue;
    const Dynamics& own = dynamics.tree(static_cast<int>(k));
    const double size = sizeOf(own);
    const double stiffness = kSafety * own.model().totalMass() * model.gravity.norm() * size;
    for (int i = tree.dofs_begin; i < tree.dofs_end; ++i) {
      const double safe = traitsOf(model.dofs[i].kind).turns ? stiffness : stiffness / (size * size);
      springs.stiffness[i] = hold.stiffness >= 0.0 ? hold.stiffness : safe;
      springs.damping[i] = hold.damping >= 0.0 ? hold.damping : kRelaxation * springs.stiffness[i];
    }
  }
  const VectorXd held = heldJoints(hold, model);
  springs.stiffness.array() *= held.array();
  springs.damping.array() *= held.array();
  setSingleGains(hold.joint_stiffness, hold.where, model, springs.stiffness);
  setSingleGains(hold.joint_damping, hold.where, model, springs.damping);
  setSingleGains(hold.target, hold.where, model, springs.target);
  leaveToDrives(model, springs.stiffness);
  leaveToDrives(model, springs.damping);
  return springs;
}

void checkHold(const SceneHold& hold, const Model& model) {
  std::set<std::string> listed;
  for (const std::string& name : hold.joints) {
    findDof(model, name, hold.where);
    if (!listed.insert(name).second)
      throw Error(hold.where, fmt::format("hold.joints names '{}' twice", name), "remove one of them");
  }
  for (const auto* gains : {&hold.joint_stiffness, &hold.joint_damping, &hold.target})
    for (const auto& [name, value] : *gains) findDof(model, name, hold.where);
  for (const auto& [name, position] : hold.target) {
    if (listed.empty() || listed.contains(name) || hold.joint_stiffness.contains(name)) continue;
    throw Error(hold.where, fmt::format("hold.target names '{}', which is not one of hold.joints", name),
                "nothing would pull it there: add it to hold.joints, or give it a hold.joint_stiffness");
  }
}

namespace {

VectorXd torqueOfAllJoints(const SceneHold& hold, const Model& model, int contacts, Dynamics& dynamics) {
  const int n = model.jointDofs();
  VectorXd gravity(model.nv());
  dynamics.gravityForces(gravity);
  MatrixXd J(3 * contacts, model.nv());
  if (contacts > 0) dynamics.contactJacobian(J);
  if (!model.loops.empty() || !hold.joints.empty()) return torqueOfHeldJoints(hold, model, gravity, J, dynamics);
  const VectorXd of_joints = model.jointVelocities(gravity);
  const int base = model.baseDofs(), free = 6 * model.free_bodies;
  if (base + free == 0 || contacts == 0) return of_joints;
  // What floats is carried by the contacts.
  MatrixXd floating(3 * contacts, base + free);
  floating << J.leftCols(base), J.rightCols(free);
  VectorXd weight(base + free);
  weight << gravity.head(base), gravity.tail(free);
  const VectorXd f = leastSquares(floating.transpose(), weight);
  return of_joints - J.middleCols(base, n).transpose() * f;
}

}  // namespace

VectorXd holdingTorque(const SceneHold& hold, const Model& model, int contacts, Dynamics& dynamics) {
  if (model.jointDofs() == 0) return {};
  VectorXd torque = torqueOfAllJoints(hold, model, contacts, dynamics);
  leaveToDrives(model, torque);
  return torque;
}

}  // namespace footfall

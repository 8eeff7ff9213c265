#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "footfall/base/step_time.hpp"
#include "footfall/model/model.hpp"

namespace footfall {

/// What the contact solver remembers from one step to the next. It is part of the state, so that a
/// restored run goes on bit for bit.
struct WarmStart {
  /// The candidates that were active, −1 behind them; (Model::usualContacts(), or more where links touch each other).
  Eigen::VectorXi candidate;
  /// Last impulses: of those candidates in their contact frames (3 for each slot) [N s], then of each coordinate's
  /// limit and of each coordinate's Coulomb friction (n + n) [N m s or N s].
  VectorXd impulse;
  bool minimum_norm = false;  ///< the impulses have already settled at their minimum norm
};

int warmStartSize(const Model& model);  ///< entries of WarmStart::impulse to begin with
bool warmStartFits(const Model& model, const WarmStart& warm);

/// Everything that a simulation remembers. A value: copy it, save it, restore it.
struct State {
  double time = 0.0;  ///< [s]
  /// p_WB [m], quaternion of R_WB as (x, y, z, w), s [rad or m; rotation vectors of ball joints]; then p and quaternion
  /// of each further body; (nq)
  VectorXd q;
  /// ṗ_WB [m/s] and ω_WB [rad/s] in world axes if the base floats, ṡ; then ṗ and ω of each further body; (nv)
  VectorXd nu;
  VectorXd motors;  ///< torque [N m] and its rate [N m/s] of each motor, (2 × motors); empty: all follow at once
  WarmStart warm;
  StepCount count;      ///< of the steps that led to `time`: times are products, not sums
  int free_bodies = 0;  ///< whose bases q holds behind the joints
  /// Joints that were made while it ran (footfall/step/tie.hpp), beside Model::loops, in the order of their making.
  std::vector<Loop> ties;

  /// When a step of length dt from here ends [s].
  double timeAfter(double dt) const { return StepCount(count).next(time, dt); }

  auto joints() { return q.segment(7, q.size() - 7 * (1 + free_bodies)); }
  auto joints() const { return q.segment(7, q.size() - 7 * (1 + free_bodies)); }
  Pose basePose() const;
  void setBasePose(const Pose& X_WB);
};

/// Throws Error where a tie is of links that the model does not have, or its frames are none.
void checkTies(const Model& model, const std::vector<Loop>& ties, const std::string& where);

/// The robot at rest at the origin, all joints at zero.
State makeState(const Model& model);

/// Moves q by the velocity nu during dt: exact rotation about a constant ω. Rotation vectors of ball joints come out no
/// longer than π.
void integrateConfiguration(const Model& model, const VectorXd& nu, double dt, VectorXd& q);

/// Which robot a state belongs to: the names of the model, of its joints, and of the bodies beside it. Equal numbers of
/// joints do not make two robots one.
std::string robotIdentity(const Model& model);

/// Throws Error at `where` when an identity is that of another robot; an empty one says nothing and fits all.
/// @param what  that which was saved: "the saved worlds are"
void requireSameRobot(const std::string& identity, const Model& model, const std::string& where,
                      const std::string& what = "this state is");

/// Binary, exact to the last bit, versioned, with the identity of its robot. `load` throws Error when robot, sizes or
/// version do not fit; formats of before, which do not know their robot, are read by their sizes alone.
void saveState(const State& state, const Model& model, std::ostream& out);
void saveState(const State& state, const std::string& robot_identity, std::ostream& out);
State loadState(const Model& model, std::istream& in, const std::string& source_name);

/// A wrench applied to a link from outside.
struct ExternalWrench {
  LinkIndex link;
  Vector3d p_LP = Vector3d::Zero();      ///< where it acts, in the link frame [m]
  Vector6d wrench_W = Vector6d::Zero();  ///< force [N] and moment [N m] in world axes
  FrameIndex frame = {};  ///< part of the link, for sensors in fixed joints; not valid: the link's own body
};

/// What acts on the robot during a step, from outside of the model.
struct Input {
  VectorXd tau;  ///< joint torques or forces, (n) [N m or N]
  std::vector<ExternalWrench> wrenches;
  VectorXd generalized = {};  ///< added to S τ, in the order of ν: at the base as a wrench (nv) [N, N m]; empty: none
  /// Where prescribed joints (Dof::prescribed) are at the end of the step and how fast they move there, (n); entries of
  /// other joints are not looked at. During the step they follow the cubic between both of its ends.
  VectorXd position = {};  ///< [rad or m]
  VectorXd velocity = {};  ///< [rad/s or m/s]
};

/// No torques, no wrenches, prescribed joints at rest at zero.
Input makeInput(const Model& model);

}  // namespace footfall

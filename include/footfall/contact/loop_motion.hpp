#pragma once

#include <vector>

#include "footfall/dynamics/dynamics.hpp"

namespace footfall {

/// Keeps the loops of a model closed, where the engine has prepared them (Dynamics::prepareLoops): accelerations,
/// velocities and configurations are moved to the nearest, in the metric of M, that fit them: docs/theory.md (10). The
/// one place where loops are built, for steps with contacts as well as for integrators that ask for accelerations at
/// several places within a step. Scratch memory.
class LoopMotion {
 public:
  explicit LoopMotion(const Model& model);

  bool any() const { return lambda_.size() > 0; }
  /// Or to what is fixed to it: then the momentum of the robot is not its own.
  bool tiesToWorld() const { return ties_to_world_; }

  /// Before each step, which knows nothing of the one before.
  void forgetRank() { closed_rank_ = kUnknown; }
  /// Dynamics::prepareLoops(). Where loops are open, rows that depend on others where they are closed would be taken
  /// for rows of their own: as many are left out as depend on others at a place of this step where that is beyond
  /// doubt. False: the engine is in doubt, and there was no such place so far.
  /// @param closed  the engine is where loops are as closed as they get: what is in doubt there is left out
  bool prepare(Dynamics& dynamics, bool closed = false);
  /// The same where the engine has prepared loops.
  bool limitRank(Dynamics& dynamics, bool closed = false);

  /// nu_dot ← the acceleration nearest to it that keeps the loops closed: J ν̇ + J̇ ν = 0.
  void constrainAcceleration(const Dynamics& dynamics, VectorXd& nu_dot);

  /// nu ← the velocity nearest to it with which the loops stay closed: J ν = 0.
  void constrainVelocity(const Dynamics& dynamics, VectorXd& nu);

  /// nu ← the velocity nearest to it with which the loops are closed after dt, to second order: gap + dt J ν + dt²/2 J̇ν
  /// = 0.
  void closeWithin(double dt, const Dynamics& dynamics, VectorXd& nu);

  /// nu ← the velocity nearest to it with J ν = −offset.
  void constrainVelocity(const VectorXd& offset, const Dynamics& dynamics, VectorXd& nu) {
    dynamics.closeLoops(offset, nu, lambda_);
  }

  /// J ν of the rows at the place and the velocity of the engine's last update, of which nothing but poses and
  /// velocities of links are asked for [m/s].
  void velocity(const RobotDynamics& kinematics, VectorXd& velocity) const;
  /// The same for another velocity, where loops were prepared.
  void velocity(const Dynamics& dynamics, const VectorXd& nu, VectorXd& velocity);

  /// Impulses of the rows in the last of the calls above [N s], or forces after constrainAcceleration() [N].
  const VectorXd& impulses() const { return lambda_; }

  /// The same as the wrench of each loop on its link b, about the origin of its frame on b and along axesOfWrench()
  /// [N s, N m s or N, N m].
  void wrenches(const VectorXd& impulses, std::vector<Vector6d>& out) const { loopWrenches(points_, impulses, out); }

  /// Moves q back onto the loops with the smallest motion in the metric of M where they were prepared; returns the
  /// largest gap that is left [m].
  double closeConfiguration(const Dynamics& dynamics, VectorXd& q);

  /// tau += Jᵀ λ of given impulses or forces of the rows.
  void addForces(const Dynamics& dynamics, const VectorXd& forces, VectorOut tau);

 private:
  const Model& model_;
  std::vector<LoopPoint> points_;
  bool ties_to_world_ = false;
  static constexpr int kUnknown = -1;
  int closed_rank_ = kUnknown;  ///< independent rows where the loops are closed
  VectorXd lambda_;             ///< (rows)
  VectorXd offset_, gap_;       ///< scratch (rows)
  MatrixXd J_;                  ///< scratch (rows × nv)
  VectorXd displacement_;       ///< scratch (nv)
};

}  // namespace footfall

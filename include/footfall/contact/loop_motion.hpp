#pragma once

#include <memory>

#include "footfall/dynamics/dynamics.hpp"

namespace footfall {

/// The loops of a model while nothing else constrains it: for integrators that ask for accelerations at several
/// places within a step. Scratch memory.
class LoopMotion {
 public:
  explicit LoopMotion(const Model& model);
  ~LoopMotion();

  bool any() const { return rows_ > 0; }
  bool tiesToWorld() const { return ties_to_world_; }  ///< then the momentum of the robot is not its own

  /// Must follow each update of the engine before the calls below.
  void prepare(Dynamics& dynamics);

  /// nu_dot ← the acceleration nearest to it that keeps the loops closed: J ν̇ + J̇ ν = 0.
  void constrainAcceleration(const Dynamics& dynamics, VectorXd& nu_dot);

  /// nu ← the velocity nearest to it with which the loops stay closed: J ν = 0.
  void constrainVelocity(const Dynamics& dynamics, VectorXd& nu);

  /// The wrench of each loop on its link b from the last constrainAcceleration(): about the origin and in the axes of
  /// its frame [N, N m].
  void wrenches(std::vector<Vector6d>& out) const;

  /// tau += Jᵀ λ of the last constrainAcceleration(), at the same update of the engine.
  void addForces(const Dynamics& dynamics, VectorOut tau);

 private:
  struct Scratch;
  /// x ← x − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁺ (J x + offset)
  void constrain(const Dynamics& dynamics, VectorXd& x);

  int rows_ = 0;
  bool ties_to_world_ = false;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace footfall

#pragma once

#include <string_view>

#include "footfall/model/model.hpp"

namespace footfall {

using VectorOut = Eigen::Ref<VectorXd>;
using VectorIn = const Eigen::Ref<const VectorXd>&;
using MatrixOut = Eigen::Ref<MatrixXd>;

struct Energy {
  double kinetic = 0.0;    ///< [J]
  double potential = 0.0;  ///< of gravity, zero at the world's origin [J]
  double total() const { return kinetic + potential; }
};

/// What every physics engine knows about a robot: M(q) ν̇ + h(q, ν) = S τ + τ_ext + Jᵀ f (docs/theory.md (1)), in the
/// mixed representation (ν = base velocity in world axes at the base's origin, then joints). Who observes, controls or
/// senses a robot needs no more; what contacts and loops need is in Dynamics.
///
/// An engine is scratch memory bound to one Model: update() computes, everything below reads.
/// A fresh engine gives the same bits. Use one for each thread.
class RobotDynamics {
 public:
  virtual ~RobotDynamics() = default;
  virtual std::string_view name() const = 0;
  virtual const Model& model() const = 0;

  /// Kinematics, M with its factorisation, and h, at (q, ν).
  virtual void update(VectorIn q, VectorIn nu) = 0;
  /// Only poses and velocities of the links, momentum(), centerOfMass() and energy(), with the same bits as after
  /// update(); nothing else may be asked for until then. For observers.
  virtual void updateKinematics(VectorIn q, VectorIn nu) { update(q, nu); }
  /// Only what depends on ν, at the q of the last update(): after an impact.
  virtual void updateVelocity(VectorIn nu) = 0;

  /// Added to the diagonal of the joint rows of M in solveMass() and delassus() only, from the next update() on:
  /// how implicit joint springs and dampers enter a step. (n), zero at first.
  virtual void setImplicitInertia(VectorIn diagonal) = 0;

  // --- generalized quantities at the last update -------------------------------------------------
  virtual void massMatrix(MatrixOut M) const = 0;     ///< with the reflected inertias of the dofs, (nv × nv)
  virtual void biasForces(VectorOut h) const = 0;     ///< Coriolis, centrifugal and gravity, (nv)
  virtual void gravityForces(VectorOut g) const = 0;  ///< h at ν = 0, (nv)
  virtual void solveMass(VectorOut x) const = 0;      ///< x ← (M + implicit inertia)⁻¹ x
  virtual void multiplyMass(VectorIn x, VectorOut y) const = 0;  ///< y ← M x
  virtual Vector6d momentum() const = 0;      ///< linear [N s], angular about the centre of mass [N m s], world axes
  virtual Vector3d centerOfMass() const = 0;  ///< in the world [m]
  virtual Energy energy() const = 0;

  // --- frames at the last update -------------------------------------------------------------------
  virtual Pose linkPose(LinkIndex link) const = 0;                  ///< X_WL
  virtual Vector6d linkVelocity(LinkIndex link) const = 0;          ///< of the link's origin, world axes
  virtual Vector6d linkBiasAcceleration(LinkIndex link) const = 0;  ///< J̇ ν of the link's origin [m/s², rad/s²]
  Pose framePose(FrameIndex frame) const;                           ///< X_WF
  /// Velocity of the frame's origin and of its rotation, world axes: J ν. (6 × nv), linear rows first.
  virtual void frameJacobian(FrameIndex frame, MatrixOut J) const = 0;
  virtual Vector6d frameBiasAcceleration(FrameIndex frame) const = 0;  ///< J̇ ν [m/s², rad/s²]
  /// tau += Jᵀ w for a wrench (world axes) at a point of a link; tau has nv entries.
  virtual void addWrench(LinkIndex link, const Vector3d& p_LP, const Vector6d& wrench_W, VectorOut tau) const = 0;
};

}  // namespace footfall

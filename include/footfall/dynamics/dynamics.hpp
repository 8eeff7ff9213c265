#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "footfall/dynamics/loop_points.hpp"
#include "footfall/model/model.hpp"
#include "footfall/spatial/contact_layout.hpp"
#include "footfall/spatial/tree_motions.hpp"

namespace footfall {

using VectorOut = Eigen::Ref<VectorXd>;
using VectorIn = const Eigen::Ref<const VectorXd>&;
using MatrixOut = Eigen::Ref<MatrixXd>;

/// A point C of a link that meets the ground or another link, with the axes in which its forces are counted. Velocities
/// are those of the link relative to the other one, and forces act on both.
struct ContactFrame {
  LinkIndex link;
  Vector3d p_LC;                     ///< in the link frame [m]
  Matrix3d R_WC;                     ///< column 2 is the outward normal of the ground or the other link [-]
  LinkIndex other = {};              ///< not valid: the ground
  Vector3d p_OC = Vector3d::Zero();  ///< the same point in the frame of the other link [m]
};

/// A row of a joint's own velocity, beside those of contacts.
struct JointMotion {
  DofIndex dof;
  double sign = 1.0;
  int component = 2;  ///< which of a contact's rows it takes
};

struct Energy {
  double kinetic = 0.0;    ///< [J]
  double potential = 0.0;  ///< of gravity, zero at the world's origin [J]
  double total() const { return kinetic + potential; }
};

/// The port to physics engines: M(q) ν̇ + h(q, ν) = S τ + Jᵀ f (docs/theory.md (1)), in the mixed representation
/// (ν = base velocity in world axes at the base's origin, then joints).
///
/// An engine is scratch memory bound to one Model: update() computes, everything below reads.
/// A fresh engine gives the same bits. Use one for each thread.
class Dynamics {
 public:
  virtual ~Dynamics() = default;
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

  // --- contacts at the last update -----------------------------------------------------------------
  // Vectors of contact quantities have layout.rows() entries in ContactLayout order; padding is zero.
  virtual void setContacts(std::span<const ContactFrame> contacts) = 0;
  virtual void contactVelocity(VectorIn nu, double* v) const = 0;  ///< v ← J ν
  virtual void contactBiasAcceleration(double* a) const = 0;       ///< a ← J̇ ν at the ν of the last update
  virtual void addContactImpulse(const double* p, VectorOut tau) const = 0;  ///< tau += Jᵀ p
  virtual void delassus(
      double* G) const = 0;  ///< J (M + implicit inertia)⁻¹ Jᵀ, row-major (rows × rows); padding is zero
  virtual void contactJacobian(MatrixOut J) const = 0;  ///< (3 nc × nv), contact by contact: row 3 i + c

  /// The trees of the model apart, in the order of treesOf(): what each of them does by itself. One that is all of the
  /// model is the engine itself.
  virtual int treeCount() const { return 1; }
  virtual Dynamics& tree(int) { return *this; }
  const Dynamics& tree(int k) const { return const_cast<Dynamics*>(this)->tree(k); }

  /// The same as delassus() by trees: the contacts, then one for each of these joints. False: not by this engine, or
  /// not with loops.
  virtual bool contactMotions(std::span<const JointMotion>, TreeMotions&) const { return false; }

  /// Room for this many contacts: no allocation in the calls above afterwards.
  virtual void reserveContacts(int max_contacts) = 0;

  // --- the model's loops at the last update: rows J_h as loopPoints() numbers them -------------------
  /// Must precede the calls below. Until the next update(), delassus() is that of the robot with its loops closed,
  /// J (M⁻¹ − M⁻¹J_hᵀ(J_hM⁻¹J_hᵀ)⁺J_hM⁻¹) Jᵀ. Rows may depend on each other.
  virtual void prepareLoops() = 0;
  virtual void loopJacobian(MatrixOut J) const = 0;              ///< (rows × nv)
  virtual void loopBiasAcceleration(VectorOut a) const = 0;      ///< J̇_h ν [m/s²]
  virtual void loopGaps(VectorOut gap) const = 0;                ///< how far rows are from being closed [m]
  virtual void loopGapsAt(VectorIn q, VectorOut gap) const = 0;  ///< the same at another configuration
  /// x ← x + M⁻¹ J_hᵀ λ, the nearest to x in the metric of M with J_h x = −offset; λ is zero for rows that depend on
  /// others.
  virtual void closeLoops(VectorIn offset, VectorOut x, VectorOut lambda) const = 0;
};

/// `native`, `pinocchio`, `idyntree`, or a user's plug-in; throws Error that names the engines that were found.
/// The model must outlive the engine. Models of several trees, or whose links touch each other, get one engine for each
/// tree, and what couples them beside.
std::unique_ptr<Dynamics> makeDynamics(const std::string& engine, const Model& model);

}  // namespace footfall

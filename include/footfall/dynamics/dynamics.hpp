#pragma once

#include <memory>
#include <span>
#include <string>

#include "footfall/dynamics/link_mass.hpp"
#include "footfall/dynamics/loop_points.hpp"
#include "footfall/dynamics/robot_dynamics.hpp"
#include "footfall/spatial/contact_layout.hpp"
#include "footfall/spatial/tree_motions.hpp"

namespace footfall {

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

/// The port to physics engines: beside what all of them know, the terms of contacts and loops. A general rigid-body
/// library that has none of these gets them by dense algebra (`TreeDynamics`).
class Dynamics : public RobotDynamics {
 public:
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

  // --- links that weigh something else than the model says ---------------------------------------------
  /// What all links weigh, in their order, from the next update() on. False: not by this engine, which goes on as
  /// before.
  virtual bool setLinkMasses(std::span<const LinkMass>) { return false; }

  // --- links that resist turning, beside their own inertia --------------------------------------------
  /// Adds Σ J_ωᵀ P J_ω over the links to M, in solveMass(), delassus() and contactMotions() only and until the next
  /// update(), which must come before: how the tension of light links enters a step (docs/theory.md §5). P of each
  /// link is symmetric and not negative, world axes [kg m²]. False: not by this engine.
  virtual bool addTurningInertia(std::span<const Matrix3d>) { return false; }
  /// y ← Σ J_ωᵀ P J_ω x with the P that were added.
  virtual void multiplyTurningInertia(VectorIn, VectorOut y) const { y.setZero(); }

  // --- the model's loops at the last update: rows J_h as loopPoints() numbers them -------------------
  /// Must precede the calls below. Until the next update(), delassus() is that of the robot with its loops closed,
  /// J (M⁻¹ − M⁻¹J_hᵀ(J_hM⁻¹J_hᵀ)⁺J_hM⁻¹) Jᵀ. Rows may depend on each other.
  virtual void prepareLoops() = 0;
  /// How many rows are independent beyond doubt, and whether there are others, which are so by no more than open loops
  /// make them: whether they are where loops are closed, the engine does not know.
  virtual int loopRank() const { return 0; }
  virtual bool loopsInDoubt() const { return false; }
  /// Leaves out what is more than these, the least independent first.
  virtual void takeLoopRank(int /*rows*/) {}
  virtual void loopJacobian(MatrixOut J) const = 0;              ///< (rows × nv)
  virtual void loopBiasAcceleration(VectorOut a) const = 0;      ///< J̇_h ν [m/s²]
  virtual void loopGaps(VectorOut gap) const = 0;                ///< how far rows are from being closed [m]
  virtual void loopGapsAt(VectorIn q, VectorOut gap) const = 0;  ///< the same at another configuration
  /// x ← x + M⁻¹ J_hᵀ λ, the nearest to x in the metric of M with J_h x = −offset; λ is zero for rows that depend on
  /// others.
  virtual void closeLoops(VectorIn offset, VectorOut x, VectorOut lambda) const = 0;

  // --- joints' own rows beside those of contacts ------------------------------------------------------
  /// The rest of the matrix of delassus(), which comes before, where one more contact for each of these joints stands
  /// behind those that there are: G is (rows × rows) of ContactLayout for all of them. Written are the entries of the
  /// joints' rows with each other and with the contacts', and the diagonal of their other two rows: the same mobility.
  /// All else of them is zero. False: not by this engine, or not with loops.
  virtual bool addJointRows(std::span<const JointMotion>, double* /*G*/) const { return false; }
};

/// `native`, `pinocchio`, `idyntree`, or a user's plug-in; throws Error that names the engines that were found.
/// The model must outlive the engine. Models of several trees, or whose links touch each other, get one engine for each
/// tree, and what couples them beside.
std::unique_ptr<Dynamics> makeDynamics(const std::string& engine, const Model& model);

}  // namespace footfall

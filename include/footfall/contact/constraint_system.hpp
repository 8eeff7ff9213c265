#pragma once

#include <memory>
#include <span>
#include <vector>

#include "footfall/contact/contact.hpp"
#include "footfall/contact/joint_rows.hpp"
#include "footfall/solver/contact_problem.hpp"

namespace footfall {

class LoopRows;

/// Everything that constrains the motion of a step, brought into the form of one ContactProblem:
/// - contacts with the ground as they are;
/// - joint limits as contacts without friction, joint friction as contacts with a given normal impulse;
/// - loops eliminated: they answer every impulse, so that the problem sees M⁻¹ − M⁻¹J_hᵀ(J_hM⁻¹J_hᵀ)⁺J_hM⁻¹ in place of
/// M⁻¹.
///
/// Built once a step, used by the impact and by the forces. Scratch memory.
class ConstraintSystem {
 public:
  explicit ConstraintSystem(const Model& model);
  ~ConstraintSystem();

  /// Most contacts and joint rows that a problem can have.
  int capacity() const;
  /// Most points that it gives to the engine.
  int enginePoints() const;

  /// Finds what is active at the engine's last update, where the robot is at (q, nu), and hands its points to the
  /// engine.
  void activate(const Terrain& terrain, double time, double dt, const VectorXd& q, const VectorXd& nu,
                Dynamics& dynamics);

  bool empty() const { return contacts_.empty() && joint_rows_.empty() && loop_rows_ == 0; }
  std::span<const ActiveContact> contacts() const { return contacts_; }
  std::span<const JointRow> jointRows() const { return joint_rows_; }
  bool hasLoops() const { return loop_rows_ > 0; }
  bool onlyLoops() const { return hasLoops() && contacts_.empty() && joint_rows_.empty(); }

  /// G of the problem; b and mu follow with setVelocity().
  void assemble(const Dynamics& dynamics);
  ContactProblem& problem() { return problem_; }

  /// What a step asks of the rows that are not contacts.
  struct Target {
    double dt = 0.0;         ///< length of the step [s]
    bool instant = false;    ///< an impact: no time passes, friction of joints and gaps of loops play no part
    bool limit_gaps = true;  ///< limits may be approached just so fast that they are reached at the end of the step
  };

  /// b = J nu relative to the ground, with loops closed; limits and joint friction complete, contacts without their
  /// gaps.
  void setVelocity(const Dynamics& dynamics, const VectorXd& nu, const Target& target);

  /// J̇ ν of the contacts in the order of the problem [m/s²].
  void contactBias(const Dynamics& dynamics, AlignedVector& bias);

  /// tau += Jᵀ p of all rows, with the loops' answer to b and p.
  void addImpulses(const Dynamics& dynamics, const AlignedVector& impulse, VectorOut tau);

  /// Velocity of the contacts in the order of the problem, relative to the world [m/s].
  void contactVelocity(const Dynamics& dynamics, const VectorXd& nu, AlignedVector& velocity);

  /// The loops alone at the engine's last update, for closeLoops(): what was active is forgotten.
  void prepareLoops(Dynamics& dynamics);

  /// Moves q back onto the loops with the smallest motion in the metric of M, at the engine's last update; returns the
  /// largest gap that is left [m].
  double closeLoops(const Dynamics& dynamics, VectorXd& q);

  /// Largest gap of the loops at q [m].
  double loopGap(const VectorXd& q);

  /// The wrench of each loop on link b, about the origin of its frame on b, in the axes of its frame on a, from the
  /// last addImpulses() [N s, N m s].
  void loopWrenches(std::vector<Vector6d>& wrenches) const;

 private:
  struct Scratch;
  void gatherLoops();
  void gatherJointRows(const Dynamics& dynamics);
  void eliminateLoops();
  void setJointVelocity(const VectorXd& nu, const Target& target);
  void setLoopVelocity(const Dynamics& dynamics, const Target& target);
  void takeContacts(const AlignedVector& points, AlignedVector& problem) const;
  void spreadLoopImpulse(const VectorXd& lambda);

  const Model& model_;
  std::unique_ptr<LoopRows> loops_;
  int loop_rows_ = 0;
  std::vector<ContactFrame> frames_;  ///< contacts, then loops
  std::vector<ActiveContact> contacts_;
  std::vector<JointRow> joint_rows_;
  ContactProblem problem_;
  VectorXd lambda_;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace footfall

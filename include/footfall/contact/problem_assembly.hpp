#pragma once

#include <limits>
#include <span>
#include <vector>

#include "footfall/contact/contact.hpp"
#include "footfall/contact/joint_rows.hpp"
#include "footfall/contact/loop_motion.hpp"
#include "footfall/solver/contact_problem.hpp"

namespace footfall {

/// The constraints of a step, by their kinds. Loops and drives are none of them: the engine answers every impulse by
/// those of the loops, and to it the joints that drives hold have infinite inertia.
struct Constraints {
  std::span<const ActiveContact> contacts;  ///< three rows of the problem each
  std::span<const ContactFrame> frames;     ///< of the contacts
  std::span<const JointRow> joints;         ///< limits and Coulomb frictions, one row each

  int size() const { return static_cast<int>(contacts.size() + joints.size()); }
  /// Of the problem and its impulses: contacts, then joints.
  ContactLayout layout() const { return ContactLayout::of(size()); }
  /// Of the engine, which knows contacts only.
  ContactLayout points() const { return ContactLayout::of(static_cast<int>(contacts.size())); }
};

/// What one problem asks of the motion.
struct ProblemTerms {
  FrictionLaw law = FrictionLaw::cone;
  double dt = 0.0;         ///< length of the step [s]
  bool instant = false;    ///< an impact: no time passes, friction of joints and gaps of loops play no part
  bool limit_gaps = true;  ///< limits may be approached just so fast that they are reached at the end of the step
  /// The loops move with J_h ν = −loop_velocity; null: they are closed at the end of the step [m/s].
  const VectorXd* loop_velocity = nullptr;
  std::span<const double> normal{};      ///< added to the normal row of each contact: gaps, restitution; or none [m/s]
  const AlignedVector* shift = nullptr;  ///< added to every row, or null (rows) [m/s]
  double farthest = std::numeric_limits<double>::infinity();  ///< contacts with larger gaps get no impulse [m]
};

/// Constraints → ContactProblem, v = G p + b of docs/theory.md (2). The one place that writes problems of a robot: each
/// assemble() makes all of one anew but for G, which computeDelassus() leaves for all problems at one place of the
/// engine.
///
/// | constraint | rows | the other rows of its contact |
/// |---|---|---|
/// | contact | tangents and normal; of a face all normals are that of its middle | – |
/// | limit of a joint | the normal, μ = 0 | decoupled, and nothing pushes them |
/// | friction of a joint | the first tangent, μ = 1 | decoupled; the normal gets exactly the impulse that bounds it |
///
/// Scratch memory.
class ProblemAssembly {
 public:
  explicit ProblemAssembly(const Model& model);

  /// Is there room for so many contacts?
  bool fits(int contacts) const { return ContactLayout::of(contacts).rows() <= static_cast<int>(velocity_.size()); }
  void makeRoom(int contacts);

  /// Has problems made by trees where the engine can do that; else they are dense.
  void keepByTrees(bool by_trees) { by_trees_ = by_trees; }

  /// G at the engine's last update, to which the contacts were handed, with its loops prepared.
  void computeDelassus(const Constraints& constraints, const Dynamics& dynamics, LoopMotion& loops);
  /// Contacts of the last computeDelassus() that nothing but prescribed joints can move.
  std::span<const int> immovable() const { return immovable_; }

  /// b = J nu relative to the ground and the terms; G is that of the last computeDelassus().
  const ContactProblem& assemble(const Constraints& constraints, const Dynamics& dynamics, LoopMotion& loops,
                                 const VectorXd& nu, const ProblemTerms& terms);
  const ContactProblem& problem() const { return problem_; }

  /// Velocity of the contacts in the order of the problem, relative to the world [m/s].
  void contactVelocity(const Constraints& constraints, const Dynamics& dynamics, const VectorXd& nu,
                       AlignedVector& velocity);
  /// J̇ ν of the contacts in the order of the problem [m/s²].
  void contactBias(const Constraints& constraints, const Dynamics& dynamics, AlignedVector& bias);
  /// tau += Jᵀ p
  void addImpulses(const Constraints& constraints, const Dynamics& dynamics, const AlignedVector& impulse,
                   VectorOut tau);

 private:
  void levelFaces(const Constraints& constraints);
  void levelFacesOfTrees(const Constraints& constraints);
  static void levelWritten(TreeMotions& trees, int first);
  void listJointMotions(const Constraints& constraints);
  bool computeTrees(const Constraints& constraints, const Dynamics& dynamics);
  void clearMatrix(const Constraints& constraints);
  void computeContacts(const Constraints& constraints, const Dynamics& dynamics);
  void computeJoints(const Constraints& constraints, const Dynamics& dynamics, LoopMotion& loops);
  void computeJoint(const Constraints& constraints, const Dynamics& dynamics, LoopMotion& loops, int k);
  void findImmovable(int contacts);
  void setContacts(const Constraints& constraints, const Dynamics& dynamics, const VectorXd& nu);
  void setJoints(const Constraints& constraints, const VectorXd& nu, const ProblemTerms& terms);
  void addTerms(int contacts, const ProblemTerms& terms);
  void leaveOut(std::span<const ActiveContact> contacts, double farthest);

  const Model& model_;
  ContactProblem problem_;
  bool by_trees_ = false;
  bool some_left_out_ = false;  ///< of G, by the last assemble()
  const bool has_drives_;
  std::vector<int> immovable_;

  // scratch
  std::vector<JointMotion> joint_motions_;
  std::vector<int> zeros_, rows_now_;     ///< contacts, and what row of its own each joint takes: all else of G is zero
  AlignedVector G_, velocity_, impulse_;  ///< in the engine's layout
  VectorXd column_;                       ///< (nv)
};

}  // namespace footfall

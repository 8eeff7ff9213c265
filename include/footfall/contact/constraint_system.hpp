#pragma once

#include <memory>
#include <span>
#include <vector>

#include "footfall/contact/contact.hpp"
#include "footfall/contact/joint_rows.hpp"
#include "footfall/contact/loop_motion.hpp"
#include "footfall/solver/contact_problem.hpp"

namespace footfall {

/// Everything that constrains the motion of a step, brought into the form of one ContactProblem:
/// - contacts with the ground as they are;
/// - joint limits as contacts without friction, joint friction as contacts with a given normal impulse;
/// - loops eliminated: the engine answers every impulse by theirs, and velocities are those of closed loops.
///
/// Built once a step, used by the impact and by the forces. Scratch memory.
class ConstraintSystem {
 public:
  explicit ConstraintSystem(const Model& model);

  /// Most contacts and joint rows that there is room for; find() makes more where shapes touch in more points.
  int capacity() const { return capacity_; }
  /// Finds what is active at the engine's last update, where the robot is at (q, nu), and hands it to the engine.
  void activate(const Terrain& terrain, double time, double dt, const VectorXd& q, const VectorXd& nu,
                Dynamics& dynamics);

  /// The two halves of it, for schemes whose forces belong to another place than the one where contacts are looked for.
  /// find(): of the engine only poses and velocities are asked for.
  void find(const Terrain& terrain, double time, const DetectionSettings& settings, const VectorXd& q,
            const VectorXd& nu, const Dynamics& kinematics);
  void handTo(Dynamics& dynamics);

  /// Moves the points where contacts act, and their axes, to where they are at the engine's last update; contacts()
  /// stay as found. The gaps of here go to `gaps`, one for each contact. The ground moves as at `ground_time`.
  void moveTo(const Terrain& terrain, double time, double ground_time, const Dynamics& kinematics, double* gaps);

  /// How fast contacts and limits close after an impact: the robot moves with nu, as the engine says.
  void renewApproach(const VectorXd& nu, const Dynamics& kinematics);

  /// Where a contact is at the engine's last update, of which nothing but poses is asked for.
  ContactPlace placeOf(int contact, const Terrain& terrain, TimeSpan span, const Dynamics& kinematics);
  /// Velocity of the point of a contact's link that is at p_W, relative to the other link's where there is one [m/s].
  Vector3d pointVelocityOf(int contact, const Dynamics& kinematics, const Vector3d& p_W) const;
  /// The same of the point at a lever from the origin of the contact's link.
  Vector3d leverVelocityOf(int contact, const Dynamics& kinematics, const Vector3d& lever_W) const;

  /// Of a contact of two shapes.
  const ShapePair& shapesOf(int contact) const { return detector_.shapesOf(contacts_[contact]); }

  bool empty() const { return contacts_.empty() && joint_rows_.empty() && !hasLoops(); }
  std::span<const ActiveContact> contacts() const { return contacts_; }
  std::span<ActiveContact> contacts() { return contacts_; }
  /// Where contacts act, in their order: as found, or as moved since.
  std::span<const ContactFrame> frames() const { return frames_; }
  std::span<const JointRow> jointRows() const { return joint_rows_; }
  /// Of the problem and its impulses: contacts, then joint rows.
  ContactLayout layout() const { return ContactLayout::of(static_cast<int>(contacts_.size() + joint_rows_.size())); }
  bool hasLoops() const { return loops_.any(); }
  bool onlyLoops() const { return hasLoops() && contacts_.empty() && joint_rows_.empty(); }

  /// Has the problem made by trees where the engine can do that; else it is dense.
  void keepByTrees(bool by_trees) { by_trees_ = by_trees; }
  /// G of the problem; b and mu follow with setVelocity().
  void assemble(const Dynamics& dynamics);
  ContactProblem& problem() { return problem_; }
  const ContactProblem& problem() const { return problem_; }

  /// What a step asks of the rows that are not contacts.
  struct Target {
    double dt = 0.0;         ///< length of the step [s]
    bool instant = false;    ///< an impact: no time passes, friction of joints and gaps of loops play no part
    bool limit_gaps = true;  ///< limits may be approached just so fast that they are reached at the end of the step
    /// The loops move with J_h ν = −loop_velocity; null: they are closed at the end of the step [m/s].
    const VectorXd* loop_velocity = nullptr;
  };

  /// b = J nu relative to the ground, with loops closed; limits and joint friction complete, contacts without their
  /// gaps.
  void setVelocity(const Dynamics& dynamics, const VectorXd& nu, const Target& target);

  /// J̇ ν of the contacts in the order of the problem [m/s²].
  void contactBias(const Dynamics& dynamics, AlignedVector& bias);

  /// nu ← the velocity after the impulses, which the loops answer; before, it is that of the last setVelocity().
  void applyImpulses(const Dynamics& dynamics, const AlignedVector& impulse, VectorXd& nu);

  /// tau += Jᵀ p of all rows, with the impulses of the loops from the last applyImpulses().
  void addReaction(const Dynamics& dynamics, const AlignedVector& impulse, VectorOut tau);

  /// Velocity of the contacts in the order of the problem, relative to the world [m/s].
  void contactVelocity(const Dynamics& dynamics, const VectorXd& nu, AlignedVector& velocity);

  /// The wrench of each loop from the last applyImpulses() [N s, N m s]: see LoopMotion::wrenches().
  void loopWrenches(std::vector<Vector6d>& wrenches) const { loops_.wrenches(lambda_, wrenches); }
  const VectorXd& loopImpulses() const { return lambda_; }  ///< of their rows, from the last applyImpulses() [N s]
  LoopMotion& loops() { return loops_; }

 private:
  bool onlyContacts() const { return joint_rows_.empty(); }
  bool assembleByTrees(const Dynamics& dynamics);
  void makeRoom();
  void gatherContacts(const Dynamics& dynamics);
  void gatherJointRows(const Dynamics& dynamics);
  void gatherJointRow(const Dynamics& dynamics, int k);
  void closeLoops(const Dynamics& dynamics, const VectorXd& nu, const Target& target);
  void setJointVelocity(const VectorXd& nu, const Target& target);
  void addImpulses(const Dynamics& dynamics, const AlignedVector& impulse, VectorOut tau);
  void takeContacts(const AlignedVector& points, AlignedVector& problem) const;

  const Model& model_;
  ContactDetector detector_;
  LoopMotion loops_;
  int capacity_;
  std::vector<ContactFrame> frames_;
  std::vector<ActiveContact> contacts_;
  std::vector<JointRow> joint_rows_;
  ContactProblem problem_;
  bool by_trees_ = false;
  std::vector<JointMotion> joint_motions_;
  VectorXd nu_closed_;  ///< velocity without impulses, with loops closed (nv)
  VectorXd lambda_;     ///< impulses of the loops' rows [N s]

  // scratch; where there are joint rows, contacts alone have a layout of their own
  ContactLayout points_;
  AlignedVector G_, velocity_, impulse_;  ///< of the contacts alone
  VectorXd column_, tau_;                 ///< (nv)
};

}  // namespace footfall

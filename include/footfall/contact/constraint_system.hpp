#pragma once

#include <memory>
#include <span>
#include <vector>

#include "footfall/contact/problem_assembly.hpp"
#include "footfall/dynamics/point_velocity.hpp"

namespace footfall {

/// Everything that constrains the motion of a step: contacts, limits and friction of joints, which become problems for
/// the solver, and loops, which are eliminated (the engine answers every impulse by theirs, and velocities are those of
/// closed loops).
///
/// Found once a step, used by the impact and by the forces. Scratch memory.
class ConstraintSystem {
 public:
  /// @param solids as ContactDetector has them
  explicit ConstraintSystem(const Model& model, SharedSolids solids = nullptr);

  /// Most contacts and joint rows that there is room for; find() makes more where shapes touch in more points.
  int capacity() const { return capacity_; }
  /// Finds what is active at the engine's last update, where the robot is at (q, nu), and hands it to the engine.
  void activate(const Terrain& terrain, double time, double dt, const VectorXd& q, const VectorXd& nu,
                Dynamics& dynamics);

  /// The two halves of it, for schemes whose forces belong to another place than the one where contacts are looked for.
  /// find(): of the engine only poses and velocities are asked for.
  void find(const Terrain& terrain, double time, const DetectionSettings& settings, const VectorXd& q,
            const VectorXd& nu, const RobotDynamics& kinematics);
  void handTo(Dynamics& dynamics);

  /// Moves the points where contacts act, and their axes, to where they are at the engine's last update; contacts()
  /// stay as found. The gaps of here go to `gaps`, one for each contact. The ground moves as at `ground_time`.
  void moveTo(const Terrain& terrain, double time, double ground_time, const RobotDynamics& kinematics, double* gaps);

  /// How fast contacts and limits close after an impact, and how far limits are: the robot is at q, and moves with nu,
  /// as the engine says.
  void renewApproach(const VectorXd& q, const VectorXd& nu, const RobotDynamics& kinematics);

  /// Where a contact is at the engine's last update, of which nothing but poses is asked for.
  ContactPlace placeOf(int contact, const Terrain& terrain, TimeSpan span, const LinkMotions& motions);
  /// Velocity of the point of a contact's link that is at p_W, relative to the other link's where there is one [m/s].
  /// Points of a face move along the ground each as they do, and towards it as the middle of the face does.
  Vector3d pointVelocityOf(int contact, const LinkMotions& motions, const Vector3d& p_W, const Matrix3d& R_WC) const;
  /// The same of the point at a lever from the origin of the contact's link.
  Vector3d leverVelocityOf(int contact, const LinkMotions& motions, const Vector3d& lever_W,
                           const Matrix3d& R_WC) const;

  /// Of a contact of two shapes.
  const ShapePair& shapesOf(int contact) const { return detector_.shapesOf(contacts_[contact]); }
  /// Of a contact with the ground: the model's candidate that it counts for.
  int candidateOf(int contact) const {
    const ActiveContact& active = contacts_[contact];
    if (active.isOfGroundEdge()) return detector_.shapeAtEdge(active).first_candidate;
    return active.further_of >= 0 ? active.further_of : active.candidate;
  }

  bool empty() const { return contacts_.empty() && joint_rows_.empty() && !hasLoops(); }
  Constraints constraints() const { return {contacts_, frames_, joint_rows_}; }
  std::span<const ActiveContact> contacts() const { return contacts_; }
  std::span<ActiveContact> contacts() { return contacts_; }
  /// Where contacts act, in their order: as found, or as moved since.
  std::span<const ContactFrame> frames() const { return frames_; }
  std::span<const JointRow> jointRows() const { return joint_rows_; }
  std::span<JointRow> jointRows() { return joint_rows_; }
  /// Of the problem and its impulses: contacts, then joint rows.
  ContactLayout layout() const { return constraints().layout(); }
  bool hasLoops() const { return loops_.any(); }
  bool onlyLoops() const { return hasLoops() && contacts_.empty() && joint_rows_.empty(); }

  /// Has the problems made by trees where the engine can do that; else they are dense.
  void keepByTrees(bool by_trees) { assembly_.keepByTrees(by_trees); }
  /// Once for all problems at the engine's last update, to which handTo() has given the contacts.
  void computeDelassus(const Dynamics& dynamics) { assembly_.computeDelassus(constraints(), dynamics, loops_); }
  /// Contacts that nothing but prescribed joints can move: no impulse does anything to them.
  std::span<const int> immovable() const { return assembly_.immovable(); }

  /// The problem of the constraints for the velocity nu, with loops closed; it holds until the next one.
  const ContactProblem& assemble(const Dynamics& dynamics, const VectorXd& nu, const ProblemTerms& terms);
  /// The last one.
  const ContactProblem& problem() const { return assembly_.problem(); }

  /// J̇ ν of the contacts in the order of the problem [m/s²].
  void contactBias(const Dynamics& dynamics, AlignedVector& bias) {
    assembly_.contactBias(constraints(), dynamics, bias);
  }

  /// nu ← the velocity after the impulses, which the loops answer; before, it is that of the last assemble().
  void applyImpulses(const Dynamics& dynamics, const AlignedVector& impulse, VectorXd& nu);

  /// tau += Jᵀ p of all rows, with the impulses of the loops from the last applyImpulses().
  void addReaction(const Dynamics& dynamics, const AlignedVector& impulse, VectorOut tau);

  /// Velocity of the contacts in the order of the problem, relative to the world [m/s].
  void contactVelocity(const Dynamics& dynamics, const VectorXd& nu, AlignedVector& velocity) {
    assembly_.contactVelocity(constraints(), dynamics, nu, velocity);
  }

  /// The wrench of each loop from the last applyImpulses() [N s, N m s]: see LoopMotion::wrenches().
  void loopWrenches(std::vector<Vector6d>& wrenches) const { loops_.wrenches(lambda_, wrenches); }
  const VectorXd& loopImpulses() const { return lambda_; }  ///< of their rows, from the last applyImpulses() [N s]
  LoopMotion& loops() { return loops_; }

 private:
  void makeRoom();
  Vector3d withMiddleOfFace(int contact, const LinkMotions& motions, const Matrix3d& R_WC,
                            const Vector3d& velocity_W) const;
  void closeLoops(const Dynamics& dynamics, const VectorXd& nu, const ProblemTerms& terms);

  const Model& model_;
  ContactDetector detector_;
  JointRowFinder joint_row_finder_;
  LoopMotion loops_;
  ProblemAssembly assembly_;
  int capacity_;
  std::vector<ContactFrame> frames_;
  std::vector<ActiveContact> contacts_;
  std::vector<JointRow> joint_rows_;
  VectorXd nu_closed_;  ///< velocity without impulses, with loops closed (nv)
  VectorXd lambda_;     ///< impulses of the loops' rows [N s]
  VectorXd tau_;        ///< scratch (nv)
};

}  // namespace footfall

#pragma once

#include "footfall/contact/contact_model.hpp"

namespace footfall {

/// When elastic contacts bounce that do not close in a step unless another bounce sets them in motion: never, they are
/// slowed down in the same impact as all others, or in an impact of their own that follows. `none`: nothing bounces.
enum class Bounces { together, in_turn, none };

/// Velocities jump when a contact closes, docs/theory.md (6): contacts that approach too fast stop or bounce, by the
/// restitution of their surface, under the same friction law as the forces; the others do not sink.
class ImpactModel {
 public:
  /// @param threshold approach speed above which closing is an impact [m/s]
  /// @param fall what a body at rest falls in a step: elastic contacts that miss the ground by less at its end close
  /// within it, too [m]
  ImpactModel(FrictionLaw law, const SolverSettings& settings, double threshold, double fall = 0.0);

  void reserve(int max_contacts);

  /// Does a contact close or a joint reach its limit within dt, faster than the threshold?
  bool needed(const ConstraintSystem& system, double dt) const;
  bool closesFast(double gap, double approach, double dt) const;
  bool closesFast(const ActiveContact& contact, double dt) const;
  /// The same, and it has a restitution.
  bool bounces(const ActiveContact& contact, double dt) const;
  /// It will bounce as it is, after this step.
  bool bouncesLater(const ActiveContact& contact, double dt) const;
  /// It has a restitution, and does not close within dt.
  bool waits(const ActiveContact& contact, double dt) const;

  /// The impulses [N s]; inputs.nu_free is not used: no time passes.
  void solve(const ContactStepInputs& inputs, ContactSolver& solver, ContactSolution& solution,
             Bounces order = Bounces::together);

 private:
  bool isFastEnough(const ActiveContact& contact, double dt) const;
  void solveWith(double share, const ContactStepInputs& inputs, ContactSolver& solver, ContactSolution& solution,
                 Bounces order);
  void recordApproach(const ContactStepInputs& inputs);
  bool makesEnergy(const ContactProblem& problem, const ContactSolution& solution);

  SolverSettings settings_;
  FrictionLaw law_;
  double threshold_, fall_;
  AlignedVector approach_;  ///< contact velocities before the impact [m/s]
  // scratch
  AlignedVector after_, size_;
  std::vector<double> normal_, motion_;
};

}  // namespace footfall

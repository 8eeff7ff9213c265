#pragma once

#include "footfall/contact/contact_model.hpp"

namespace footfall {

/// Velocities jump when a contact closes: contacts that approach too fast stop or bounce, by the restitution of their
/// surface, under the same friction law as the forces; the others do not sink.
class ImpactModel {
 public:
  /// @param threshold approach speed above which closing is an impact [m/s]
  ImpactModel(FrictionLaw law, const SolverSettings& settings, double threshold);

  void reserve(int max_contacts);

  /// Does a contact close within dt, faster than the threshold?
  bool needed(std::span<const ActiveContact> active, double dt) const;

  /// The impulses [N s]; question.nu_free is not used: no time passes.
  void solve(const ContactQuestion& question, ContactSolver& solver, ContactSolution& solution);

 private:
  void solveWith(bool restitution, const ContactQuestion& question, ContactSolver& solver, ContactSolution& solution);
  bool closesFast(const ActiveContact& contact, double dt) const;

  SolverSettings settings_;
  double threshold_;
  ContactProblem problem_;
  AlignedVector approach_;  ///< contact velocities before the impact [m/s]
};

}  // namespace footfall

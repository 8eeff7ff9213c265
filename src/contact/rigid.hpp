#pragma once

#include "footfall/contact/contact_model.hpp"

namespace footfall {

/// The default: exact Coulomb friction at the end of the step, aware of the gap.
class RigidContact : public ContactModel {
 public:
  explicit RigidContact(const ContactSettings& settings) : settings_(settings.solver) { problem_.law = settings.law; }

  std::string_view name() const override { return "rigid"; }
  void reserve(int max_contacts) override { problem_.reserve(max_contacts); }
  void solve(const ContactQuestion& question, ContactSolver& solver, ContactSolution& solution) override;

 private:
  SolverSettings settings_;
  ContactProblem problem_;
};

}  // namespace footfall

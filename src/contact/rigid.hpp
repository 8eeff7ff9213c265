#pragma once

#include <vector>

#include "footfall/contact/contact_model.hpp"

namespace footfall {

/// The default: exact Coulomb friction at the end of the step, aware of the gap; docs/theory.md (2), (3).
class RigidContact : public ContactModel {
 public:
  explicit RigidContact(const ContactSettings& settings) : settings_(settings.solver), law_(settings.law) {}

  std::string_view name() const override { return "rigid"; }
  bool takesShift() const override { return true; }
  bool takesTrees() const override { return true; }
  void reserve(int max_contacts) override { gap_velocity_.reserve(max_contacts); }
  void solve(const ContactStepInputs& inputs, ContactSolver& solver, ContactSolution& solution) override;

 private:
  SolverSettings settings_;
  FrictionLaw law_;
  std::vector<double> gap_velocity_;  ///< scratch, one for each contact [m/s]
};

}  // namespace footfall

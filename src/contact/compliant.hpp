#pragma once

#include "footfall/contact/contact_model.hpp"

namespace footfall {

/// Hunt–Crossley normal force with regularised friction: a second, different model, for comparison.
/// Linearly implicit in the velocity, so that stiff ground and small feet do not need a small step.
class CompliantContact : public ContactModel {
 public:
  explicit CompliantContact(const ContactSettings& settings) : settings_(settings.compliance) {}

  std::string_view name() const override { return "compliant"; }
  bool hasImpacts() const override { return false; }
  void reserve(int max_contacts) override;
  void solve(const ContactStepInputs& inputs, ContactSolver& solver, ContactSolution& solution) override;

 private:
  /// Impulse of one row as offset − slope · velocity, frozen at the start of the step.
  struct Row {
    double offset = 0.0;  ///< [N s]
    double slope = 0.0;   ///< [kg]
  };
  void linearise(const ContactStepInputs& inputs);
  void solveRows(const ContactProblem& problem, AlignedVector& impulse);

  ComplianceSettings settings_;
  AlignedVector velocity_;  ///< at the start of the step [m/s]
  std::vector<Row> rows_;
  std::vector<double> matrix_;  ///< 1 + slope · G, eliminated in place
};

}  // namespace footfall

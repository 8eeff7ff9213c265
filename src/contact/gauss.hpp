#pragma once

#include "footfall/contact/contact_model.hpp"

namespace footfall {

/// The published model: Gauss' principle of least constraint as a QP in the forces,
/// min ½ fᵀ H f + fᵀ g,  H = J M⁻¹ Jᵀ,  g = J ν/Δt + J̇ ν + J ν̇_free,  |f_x|, |f_y| <= μ f_z,  f = 0 where nothing
/// touches. Kept as published: docs/theory.md (4) says where it departs from Coulomb.
class GaussContact : public ContactModel {
 public:
  explicit GaussContact(const ContactSettings& settings) : settings_(settings.solver) {}

  std::string_view name() const override { return "gauss"; }
  void reserve(int max_contacts) override;
  void solve(const ContactStepInputs& inputs, ContactSolver& solver, ContactSolution& solution) override;

 private:
  SolverSettings settings_;
  AlignedVector bias_;   ///< J̇ ν [m/s²]
  AlignedVector shift_;  ///< Δt J̇ ν [m/s]
};

}  // namespace footfall

#include "contact/gauss.hpp"

namespace footfall {
namespace {

constexpr double kTouch = 1e-9;  ///< a gap up to this counts as contact: rounding of a robot placed on the ground [m]

/// A contact that does not touch must get no force: the solver sees it as padding.
void makeInert(ContactProblem& problem, int contact) {
  for (int c = 0; c < 3; ++c) {
    const int row = problem.layout.row(contact, c);
    const int rows = problem.layout.rows();
    for (int k = 0; k < rows; ++k) problem.G[row * rows + k] = problem.G[k * rows + row] = 0.0;
    problem.b[row] = c == 2 ? 1.0 : 0.0;
  }
  problem.mu[contact] = 0.0;
}

}  // namespace

void GaussContact::reserve(int max_contacts) { bias_.assign(ContactLayout::of(max_contacts).rows(), 0.0); }

void GaussContact::solve(const ContactStepInputs& inputs, ContactSolver& solver, ContactSolution& solution) {
  // With p = f Δt the problem is min ½ pᵀ H p + pᵀ b, b = Δt g = J ν_free + Δt J̇ ν.
  ContactProblem& problem = inputs.system.problem();
  problem.law = FrictionLaw::convex_pyramid;
  inputs.system.setVelocity(inputs.dynamics, inputs.nu_free, {.dt = inputs.dt});
  inputs.system.contactBias(inputs.dynamics, bias_);
  const auto contacts = inputs.system.contacts();
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    if (contacts[i].surface.gap > kTouch) {
      makeInert(problem, i);
      continue;
    }
    for (int c = 0; c < 3; ++c) {
      const int row = problem.layout.row(i, c);
      problem.b[row] += inputs.dt * bias_[row];
    }
  }
  solver.solve(problem, settings_, solution);
}

}  // namespace footfall

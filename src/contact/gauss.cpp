#include "contact/gauss.hpp"

#include <algorithm>

namespace footfall {
namespace {

constexpr double kTouch = 1e-9;  ///< a gap up to this counts as contact: rounding of a robot placed on the ground [m]

}  // namespace

void GaussContact::reserve(int max_contacts) {
  const int rows = ContactLayout::of(max_contacts).rows();
  bias_.assign(rows, 0.0);
  shift_.assign(rows, 0.0);
}

void GaussContact::solve(const ContactStepInputs& inputs, ContactSolver& solver, ContactSolution& solution) {
  // With p = f Δt the problem is min ½ pᵀ H p + pᵀ b, b = Δt g = J ν_free + Δt J̇ ν.
  const ContactLayout layout = inputs.system.layout();
  inputs.system.contactBias(inputs.dynamics, bias_);
  std::fill(shift_.begin(), shift_.end(), 0.0);
  for (int i = 0; i < static_cast<int>(inputs.system.contacts().size()); ++i)
    for (int c = 0; c < 3; ++c) shift_[layout.row(i, c)] = inputs.dt * bias_[layout.row(i, c)];
  const ContactProblem& problem = inputs.system.assemble(
      inputs.dynamics, inputs.nu_free,
      {.law = FrictionLaw::convex_pyramid, .dt = inputs.dt, .shift = &shift_, .farthest = kTouch});
  solver.solve(problem, settings_, solution);
}

}  // namespace footfall

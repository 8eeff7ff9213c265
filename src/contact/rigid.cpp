#include "contact/rigid.hpp"

#include <algorithm>

#include "footfall/contact/gap_velocity.hpp"

namespace footfall {

void RigidContact::solve(const ContactStepInputs& inputs, ContactSolver& solver, ContactSolution& solution) {
  ContactProblem& problem = inputs.system.problem();
  problem.law = law_;
  inputs.system.setVelocity(
      inputs.dynamics, inputs.nu_free,
      {.dt = inputs.dt, .limit_gaps = inputs.shift == nullptr, .loop_velocity = inputs.loop_velocity});
  if (inputs.shift != nullptr) {
    for (int row = 0; row < problem.layout.rows(); ++row) problem.b[row] += (*inputs.shift)[row];
  } else {
    const auto contacts = inputs.system.contacts();
    for (int i = 0; i < static_cast<int>(contacts.size()); ++i)
      problem.b[problem.layout.row(i, 2)] += gapVelocity(contacts[i].surface.gap, inputs.dt);
  }
  SolverSettings settings = settings_;
  if (inputs.max_iterations > 0) settings.max_iterations = std::min(settings.max_iterations, inputs.max_iterations);
  solver.solve(problem, settings, solution);
}

}  // namespace footfall

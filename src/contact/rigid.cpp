#include "contact/rigid.hpp"

#include <algorithm>

#include "footfall/contact/gap_velocity.hpp"

namespace footfall {

void RigidContact::solve(const ContactStepInputs& inputs, ContactSolver& solver, ContactSolution& solution) {
  ProblemTerms terms{.law = law_,
                     .dt = inputs.dt,
                     .limit_gaps = inputs.shift == nullptr,
                     .loop_velocity = inputs.loop_velocity,
                     .shift = inputs.shift};
  if (inputs.shift == nullptr) {
    gap_velocity_.clear();
    for (const ActiveContact& contact : inputs.system.contacts())
      gap_velocity_.push_back(gapVelocity(contact.surface.gap, inputs.dt));
    terms.normal = gap_velocity_;
  }
  const ContactProblem& problem = inputs.system.assemble(inputs.dynamics, inputs.nu_free, terms);
  SolverSettings settings = settings_;
  if (inputs.max_iterations > 0) settings.max_iterations = std::min(settings.max_iterations, inputs.max_iterations);
  solver.solve(problem, settings, solution);
}

}  // namespace footfall

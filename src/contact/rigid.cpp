#include "contact/rigid.hpp"

#include <algorithm>

#include "footfall/contact/gap_velocity.hpp"

namespace footfall {

void RigidContact::solve(const ContactQuestion& question, ContactSolver& solver, ContactSolution& solution) {
  ContactProblem& problem = question.system.problem();
  problem.law = law_;
  question.system.setVelocity(
      question.dynamics, question.nu_free,
      {.dt = question.dt, .limit_gaps = question.shift == nullptr, .loop_velocity = question.loop_velocity});
  if (question.shift != nullptr) {
    for (int row = 0; row < problem.layout.rows(); ++row) problem.b[row] += (*question.shift)[row];
  } else {
    const auto contacts = question.system.contacts();
    for (int i = 0; i < static_cast<int>(contacts.size()); ++i)
      problem.b[problem.layout.row(i, 2)] += gapVelocity(contacts[i].surface.gap, question.dt);
  }
  SolverSettings settings = settings_;
  if (question.max_iterations > 0) settings.max_iterations = std::min(settings.max_iterations, question.max_iterations);
  solver.solve(problem, settings, solution);
}

}  // namespace footfall

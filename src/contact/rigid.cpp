#include "contact/rigid.hpp"

#include "contact/gap_velocity.hpp"

namespace footfall {

void RigidContact::solve(const ContactQuestion& question, ContactSolver& solver, ContactSolution& solution) {
  ContactProblem& problem = question.system.problem();
  problem.law = law_;
  question.system.setVelocity(question.dynamics, question.nu_free, {.dt = question.dt});
  const auto contacts = question.system.contacts();
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i)
    problem.b[problem.layout.row(i, 2)] += gapVelocity(contacts[i].surface.gap, question.dt);
  solver.solve(problem, settings_, solution);
}

}  // namespace footfall

#include "contact/rigid.hpp"

#include "contact/problem_setup.hpp"

namespace footfall {

void RigidContact::solve(const ContactQuestion& question, ContactSolver& solver, ContactSolution& solution) {
  assembleContactProblem(question.dynamics, question.active, question.nu_free, problem_);
  for (int i = 0; i < static_cast<int>(question.active.size()); ++i)
    problem_.b[problem_.layout.row(i, 2)] += gapVelocity(question.active[i].surface.gap, question.dt);
  solver.solve(problem_, settings_, solution);
}

}  // namespace footfall

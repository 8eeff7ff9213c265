#include "footfall/contact/impact.hpp"

#include <algorithm>

#include "contact/problem_setup.hpp"

namespace footfall {

ImpactModel::ImpactModel(FrictionLaw law, const SolverSettings& settings, double threshold)
    : settings_(settings), threshold_(threshold) {
  problem_.law = law;
}

void ImpactModel::reserve(int max_contacts) {
  problem_.reserve(max_contacts);
  approach_.assign(ContactLayout::of(max_contacts).rows(), 0.0);
}

bool ImpactModel::closesFast(const ActiveContact& contact, double dt) const {
  return contact.approach < -threshold_ && contact.surface.gap + dt * contact.approach <= 0.0;
}

bool ImpactModel::needed(std::span<const ActiveContact> active, double dt) const {
  return std::any_of(active.begin(), active.end(), [&](const ActiveContact& c) { return closesFast(c, dt); });
}

void ImpactModel::solve(const ContactQuestion& question, ContactSolver& solver, ContactSolution& solution) {
  const bool elastic = std::any_of(question.active.begin(), question.active.end(), [&](const ActiveContact& c) {
    return c.surface.restitution > 0.0 && closesFast(c, question.dt);
  });
  solveWith(elastic, question, solver, solution);
  if (!elastic) return;
  // Newton's restitution with friction can make energy in some poses (Kane's paradox): work of the impulses on the
  // mean of the velocities before and after. Then the impact is inelastic.
  double work = 0.0;
  const ContactLayout& layout = problem_.layout;
  for (int row = 0; row < layout.rows(); ++row) {
    double velocity = approach_[row];
    for (int k = 0; k < layout.rows(); ++k) velocity += 0.5 * problem_.G[row * layout.rows() + k] * solution.impulse[k];
    work += velocity * solution.impulse[row];
  }
  if (work > 0.0) {
    std::fill(solution.impulse.begin(), solution.impulse.end(), 0.0);
    solveWith(false, question, solver, solution);
  }
}

void ImpactModel::solveWith(bool restitution, const ContactQuestion& question, ContactSolver& solver,
                            ContactSolution& solution) {
  assembleContactProblem(question.dynamics, question.active, question.nu, problem_);
  std::copy(problem_.b.begin(), problem_.b.begin() + problem_.layout.rows(), approach_.begin());
  for (int i = 0; i < static_cast<int>(question.active.size()); ++i) {
    const ActiveContact& contact = question.active[i];
    const bool bounces = restitution && contact.surface.restitution > 0.0 && closesFast(contact, question.dt);
    problem_.b[problem_.layout.row(i, 2)] += bounces
                                                 ? contact.surface.restitution * contact.approach
                                                 : gapVelocity(std::max(contact.surface.gap, 0.0), question.dt);
  }
  solver.solve(problem_, settings_, solution);
}

}  // namespace footfall

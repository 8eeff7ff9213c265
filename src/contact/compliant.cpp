#include "contact/compliant.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "footfall/geometry/shape.hpp"

namespace footfall {

void CompliantContact::reserve(int max_contacts) {
  const int rows = ContactLayout::of(max_contacts).rows();
  velocity_.assign(rows, 0.0);
  rows_.assign(rows, {});
  matrix_.assign(static_cast<std::size_t>(rows) * rows, 0.0);
}

void CompliantContact::linearise(const ContactStepInputs& inputs) {
  const ContactLayout& layout = inputs.system.problem().layout;
  const auto contacts = inputs.system.contacts();
  const double dt = inputs.dt;
  std::fill(rows_.begin(), rows_.end(), Row{});
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    const SurfacePoint& surface = contacts[i].surface;
    const double depth = -surface.gap;
    // f_n = k depth (1 − d v_n) at the end of the step, with depth − dt v_n for the depth there.
    const double stiffness = contacts[i].feature.isOfFace() ? settings_.stiffness / kFacePoints : settings_.stiffness;
    const double force = stiffness * depth;
    rows_[layout.row(i, 2)] = {dt * force, dt * stiffness * (dt + settings_.dissipation * std::max(depth, 0.0))};
    const double sliding = std::hypot(velocity_[layout.row(i, 0)], velocity_[layout.row(i, 1)]);
    const double slope = dt * surface.friction * std::max(force, 0.0) / std::max(sliding, settings_.stiction_velocity);
    rows_[layout.row(i, 0)] = rows_[layout.row(i, 1)] = {0.0, slope};
  }
  // Joint limits are as stiff as the ground, joint friction is regularised like that of the ground.
  const auto joint_rows = inputs.system.jointRows();
  for (std::size_t k = 0; k < joint_rows.size(); ++k) {
    const JointRow& joint = joint_rows[k];
    const int row = layout.row(static_cast<int>(contacts.size() + k), joint.component());
    rows_[row] = joint.kind == JointRow::Kind::limit
                     ? Row{-dt * settings_.stiffness * joint.gap, dt * dt * settings_.stiffness}
                     : Row{0.0, dt * joint.bound / std::max(std::abs(velocity_[row]), settings_.stiction_velocity)};
  }
}

/// p = offset − slope (G p + b): Gauss elimination with row pivoting; a few dozen rows at most.
void CompliantContact::solveRows(const ContactProblem& problem, AlignedVector& impulse) {
  const int n = problem.layout.rows();
  for (int r = 0; r < n; ++r) {
    for (int k = 0; k < n; ++k) matrix_[r * n + k] = rows_[r].slope * problem.G[r * n + k] + (r == k ? 1.0 : 0.0);
    impulse[r] = rows_[r].offset - rows_[r].slope * problem.b[r];
  }
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int r = k + 1; r < n; ++r)
      if (std::abs(matrix_[r * n + k]) > std::abs(matrix_[pivot * n + k])) pivot = r;
    if (pivot != k) {
      std::swap_ranges(&matrix_[k * n], &matrix_[k * n] + n, &matrix_[pivot * n]);
      std::swap(impulse[k], impulse[pivot]);
    }
    for (int r = k + 1; r < n; ++r) {
      const double factor = matrix_[r * n + k] / matrix_[k * n + k];
      if (factor == 0.0) continue;
      for (int j = k; j < n; ++j) matrix_[r * n + j] -= factor * matrix_[k * n + j];
      impulse[r] -= factor * impulse[k];
    }
  }
  for (int r = n - 1; r >= 0; --r) {
    for (int k = r + 1; k < n; ++k) impulse[r] -= matrix_[r * n + k] * impulse[k];
    impulse[r] /= matrix_[r * n + r];
  }
}

void CompliantContact::solve(const ContactStepInputs& inputs, ContactSolver& /*solver*/, ContactSolution& solution) {
  const ContactProblem& problem = inputs.system.problem();
  const ContactLayout& layout = problem.layout;
  const ProblemTerms terms{.dt = inputs.dt, .limit_gaps = false};
  inputs.system.assemble(inputs.dynamics, inputs.nu, terms);
  std::copy(problem.b.begin(), problem.b.begin() + layout.rows(), velocity_.begin());
  inputs.system.assemble(inputs.dynamics, inputs.nu_free, terms);
  linearise(inputs);

  // The ground pushes and never pulls: contacts that would pull are left out, each at most once.
  solution.iterations = 0;
  for (bool pulls = true; pulls && solution.iterations <= layout.contacts;) {
    solveRows(problem, solution.impulse);
    ++solution.iterations;
    pulls = false;
    for (int i = 0; i < layout.contacts; ++i) {
      if (solution.impulse[layout.row(i, 2)] >= 0.0) continue;
      for (int c = 0; c < 3; ++c) rows_[layout.row(i, c)] = {};
      pulls = true;
    }
  }
  const bool finite = std::all_of(solution.impulse.begin(), solution.impulse.begin() + layout.rows(),
                                  [](double p) { return std::isfinite(p); });
  solution.status = finite ? SolveStatus::converged : SolveStatus::failed;
  solution.residual = 0.0;
  solution.worst_contact = -1;
  solution.minimum_norm = false;
}

}  // namespace footfall

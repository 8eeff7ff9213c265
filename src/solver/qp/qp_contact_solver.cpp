#include "solver/qp/qp_contact_solver.hpp"

#include <algorithm>
#include <cmath>

#include "footfall/base/plugin_identity.hpp"

namespace footfall {

void QpContactSolver::solve(const ContactProblem& problem, const SolverSettings& settings, ContactSolution& solution) {
  const ContactLayout& layout = problem.layout;
  solution.impulse.resize(layout.rows(), 0.0);
  solution.iterations = 0;
  solution.minimum_norm = false;
  if (layout.contacts > 0) {
    qp_.setMatrices(problem);
    if (problem.law == FrictionLaw::convex_pyramid) {
      shift_.setZero(layout.contacts);
      solveOnce(problem, solution);
    } else {
      solveCoulomb(problem, settings, solution);
    }
  }
  solution.residual = contactResidual(problem, solution.impulse.data(), &solution.worst_contact);
  solution.status = solution.residual <= settings.tolerance    ? SolveStatus::converged
                    : solution.residual <= settings.acceptable ? SolveStatus::inaccurate
                                                               : SolveStatus::failed;
}

void QpContactSolver::solveOnce(const ContactProblem& problem, ContactSolution& solution) {
  qp_.setGradient(problem, shift_);
  x_.setZero(3 * problem.layout.contacts);
  if (qp_.H.allFinite() && qp_.g.allFinite()) {
    solution.iterations += solveQp(qp_, x_);
  } else {
    x_.setConstant(std::numeric_limits<double>::quiet_NaN());  // libraries may end the program over such numbers
  }
  qp_.impulses(problem, x_, solution.impulse.data());
}

void QpContactSolver::solveCoulomb(const ContactProblem& problem, const SolverSettings& settings,
                                   ContactSolution& solution) {
  const bool cold = std::all_of(solution.impulse.begin(), solution.impulse.end(), [](double p) { return p == 0.0; });
  shift_.setZero(problem.layout.contacts);
  if (!cold) updateShift(problem, solution.impulse.data());

  constexpr int kPatience = 8;  // programs without progress before giving up
  double best_residual = std::numeric_limits<double>::infinity();
  for (int program = 0, idle = 0; program < settings.max_iterations && idle < kPatience; ++program) {
    solveOnce(problem, solution);
    const double residual = contactResidual(problem, solution.impulse.data());
    idle = residual < 0.9 * best_residual ? 0 : idle + 1;
    if (residual < best_residual) {
      best_residual = residual;
      best_ = solution.impulse;
    }
    if (residual <= settings.tolerance) break;
    updateShift(problem, solution.impulse.data());
  }
  if (std::isfinite(best_residual)) solution.impulse = best_;
}

void QpContactSolver::updateShift(const ContactProblem& problem, const double* impulse) {
  const ContactLayout& layout = problem.layout;
  const int rows = layout.rows();
  const Eigen::Map<const RowMajorMatrix> G(problem.G.data(), rows, rows);
  const Eigen::Map<const Eigen::VectorXd> p(impulse, rows);
  for (int i = 0; i < layout.contacts; ++i) {
    shift_[i] = 0.0;
    for (int c = 0; c < 2; ++c) {
      const int row = layout.row(i, c);
      shift_[i] += problem.mu[i] * std::abs(G.row(row).dot(p) + problem.b[row]);
    }
  }
}

}  // namespace footfall

FOOTFALL_PLUGIN_IDENTITY

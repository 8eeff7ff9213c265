// A contact solver from nothing: Gauss–Seidel with projection, one contact after the other. docs/plugin_solver.md
// explains it.
#include <algorithm>
#include <cmath>
#include <footfall/plugin.hpp>

class SweepingSolver : public footfall::ContactSolver {
 public:
  std::string_view name() const override { return "sweeping"; }
  bool supports(footfall::FrictionLaw law) const override { return law == footfall::FrictionLaw::cone; }
  void reserve(int) override {}  // it needs no memory of its own

  void solve(const footfall::ContactProblem& problem, const footfall::SolverSettings& settings,
             footfall::ContactSolution& solution) override {
    constexpr int kSweepsBetweenLooks = 20;  // a sweep costs as much as a look at the residual
    double* p = solution.impulse.data();     // the warm start
    solution.minimum_norm = false;
    solution.iterations = 0;
    solution.residual = footfall::contactResidual(problem, p, &solution.worst_contact);
    while (solution.residual > settings.tolerance && solution.iterations < 100 * settings.max_iterations) {
      for (int k = 0; k < kSweepsBetweenLooks; ++k) sweep(problem, p);
      solution.iterations += kSweepsBetweenLooks;
      solution.residual = footfall::contactResidual(problem, p, &solution.worst_contact);
    }
    solution.status = solution.residual <= settings.tolerance    ? footfall::SolveStatus::converged
                      : solution.residual <= settings.acceptable ? footfall::SolveStatus::inaccurate
                                                                 : footfall::SolveStatus::failed;
  }

 private:
  static void sweep(const footfall::ContactProblem& problem, double* p) {
    for (int i = 0; i < problem.layout.contacts; ++i) {
      const int x = problem.layout.row(i, 0), y = problem.layout.row(i, 1), n = problem.layout.row(i, 2);
      const double normal = problem(i, 2, i, 2), tangent = std::max(problem(i, 0, i, 0), problem(i, 1, i, 1));
      if (!(normal > 0.0)) continue;
      p[n] = std::max(0.0, p[n] - velocity(problem, p, n) / normal);
      if (!(tangent > 0.0)) continue;
      p[x] -= velocity(problem, p, x) / tangent;
      p[y] -= velocity(problem, p, y) / tangent;
      const double size = std::hypot(p[x], p[y]), most = problem.mu[i] * p[n];
      if (size <= most) continue;
      p[x] *= most / size;
      p[y] *= most / size;
    }
  }

  /// A row of v = G p + b.
  static double velocity(const footfall::ContactProblem& problem, const double* p, int row) {
    const int rows = problem.layout.rows();
    const double* G = problem.G.data() + static_cast<std::size_t>(row) * rows;
    double v = problem.b[row];
    for (int k = 0; k < rows; ++k) v += G[k] * p[k];
    return v;
  }
};

FOOTFALL_SOLVER(SweepingSolver)

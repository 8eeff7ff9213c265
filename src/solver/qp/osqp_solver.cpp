#include <osqp/osqp.h>

#include <memory>
#include <vector>

#include "solver/qp/qp_contact_solver.hpp"

namespace footfall {
namespace {

/// A dense matrix in the compressed columns that OSQP asks for.
class CompressedColumns {
 public:
  template <class Keep>
  CompressedColumns(const Eigen::Ref<const Eigen::MatrixXd>& dense, Keep keep) {
    starts_.push_back(0);
    for (int c = 0; c < dense.cols(); ++c) {
      for (int r = 0; r < dense.rows(); ++r) {
        if (!keep(r, c)) continue;
        rows_.push_back(r);
        values_.push_back(dense(r, c));
      }
      starts_.push_back(static_cast<OSQPInt>(values_.size()));
    }
    OSQPCscMatrix_set_data(&view_, dense.rows(), dense.cols(), starts_.back(), values_.data(), rows_.data(),
                           starts_.data());
  }
  const OSQPCscMatrix* view() const { return &view_; }

 private:
  std::vector<OSQPInt> starts_, rows_;
  std::vector<OSQPFloat> values_;
  OSQPCscMatrix view_{};
};

/// OSQP: operator splitting, then a polishing step that solves the equations of the constraints it found active.
class OsqpSolver final : public QpContactSolver {
 public:
  std::string_view name() const override { return "osqp"; }

 protected:
  int solveQp(const PyramidQp& qp, Eigen::VectorXd& x) override {
    const CompressedColumns H(qp.H, [](int r, int c) { return r <= c; });
    const Eigen::MatrixXd dense_A = qp.A;
    const CompressedColumns A(dense_A, [](int r, int c) { return r / 5 == c / 3; });
    const Eigen::VectorXd lower = Eigen::VectorXd::Zero(qp.A.rows());
    const Eigen::VectorXd upper = Eigen::VectorXd::Constant(qp.A.rows(), OSQP_INFTY);
    const OSQPSettings options = settings();

    OSQPSolver* raw = nullptr;
    const OSQPInt error = osqp_setup(&raw, H.view(), qp.g.data(), A.view(), lower.data(), upper.data(), qp.A.rows(),
                                     qp.H.rows(), &options);
    const std::unique_ptr<OSQPSolver, OSQPInt (*)(OSQPSolver*)> solver(raw, &osqp_cleanup);
    if (error != 0) return 0;
    osqp_solve(solver.get());
    int iterations = static_cast<int>(solver->info->iter);
    if (hasActiveRows(qp, *solver->solution)) iterations += polish(solver.get(), options);
    x = Eigen::Map<const Eigen::VectorXd>(solver->solution->x, x.size());
    return iterations;
  }

 private:
  /// Rows that hold with force: where there are none, OSQP has nothing to polish, and would print that it has not.
  static bool hasActiveRows(const PyramidQp& qp, const OSQPSolution& solution) {
    constexpr double kClearlyActive = 1e-6;
    const Eigen::Map<const Eigen::VectorXd> x(solution.x, qp.A.cols()), y(solution.y, qp.A.rows());
    const Eigen::VectorXd slack = qp.A * x;
    return (slack.array() < kClearlyActive && y.array() < -kClearlyActive).any();
  }

  /// Goes on from the solution, which is accurate enough to stop at once, and polishes it.
  static int polish(OSQPSolver* solver, OSQPSettings options) {
    options.polishing = 1;
    osqp_update_settings(solver, &options);
    osqp_solve(solver);
    return static_cast<int>(solver->info->iter);
  }

  static OSQPSettings settings() {
    OSQPSettings options;
    osqp_set_default_settings(&options);
    options.verbose = 0;
    // By iterations: a step size that adapts by the clock makes results depend on how busy the machine is.
    options.adaptive_rho = OSQP_ADAPTIVE_RHO_UPDATE_ITERATIONS;
    options.adaptive_rho_interval = 50;
    options.eps_abs = 1e-10;
    options.eps_rel = 0.0;
    options.max_iter = 200000;  // one problem in hundreds needs more than 20000
    // x = 0 is always feasible, and the objective is bounded: no test may claim otherwise.
    options.eps_prim_inf = 1e-14;
    options.eps_dual_inf = 1e-14;
    options.polish_refine_iter = 10;
    options.delta = 1e-8;
    options.check_dualgap = 0;
    return options;
  }
};

}  // namespace
}  // namespace footfall

extern "C" footfall::ContactSolver* footfall_make_solver() { return new footfall::OsqpSolver; }

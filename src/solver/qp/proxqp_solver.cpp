#include <limits>
#include <proxsuite/proxqp/dense/dense.hpp>

#include "solver/qp/qp_contact_solver.hpp"

namespace footfall {
namespace {

/// ProxQP: an augmented Lagrangian method with a proximal term, which is what makes singular G harmless.
class ProxQpSolver final : public QpContactSolver {
 public:
  std::string_view name() const override { return "proxqp"; }

 protected:
  int solveQp(const PyramidQp& qp, Eigen::VectorXd& x) override {
    const auto rows = qp.A.rows();
    const Eigen::VectorXd lower = Eigen::VectorXd::Zero(rows);
    const Eigen::VectorXd upper = Eigen::VectorXd::Constant(rows, std::numeric_limits<double>::infinity());
    proxsuite::proxqp::dense::QP<double> solver(qp.H.rows(), 0, rows);
    solver.settings.eps_abs = 1e-12;
    solver.settings.max_iter = 1000;
    solver.settings.default_rho = 3e-5;  // its own 1e-6 leaves singular problems a digit less accurate
    // Its test of infeasibility mistakes problems like these for infeasible ones; x = 0 is always feasible here.
    solver.settings.eps_primal_inf = 1e-14;
    solver.settings.eps_dual_inf = 1e-14;
    solver.settings.initial_guess = proxsuite::proxqp::InitialGuessStatus::NO_INITIAL_GUESS;
    const Eigen::MatrixXd H =
        qp.H.selfadjointView<Eigen::Lower>();  // to the last bit: it looks, where assertions are on
    solver.init(H, qp.g, proxsuite::nullopt, proxsuite::nullopt, qp.A, lower, upper);
    solver.solve();
    x = solver.results.x;
    return static_cast<int>(solver.results.info.iter);
  }
};

}  // namespace
}  // namespace footfall

extern "C" footfall::ContactSolver* footfall_make_solver() { return new footfall::ProxQpSolver; }

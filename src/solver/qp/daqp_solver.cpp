#include <daqp/api.h>

#include <vector>

#include "solver/qp/qp_contact_solver.hpp"

namespace footfall {
namespace {

/// DAQP: a dual active-set method. It needs a regular H, so it runs inside its own proximal-point iteration.
class DaqpSolver final : public QpContactSolver {
 public:
  std::string_view name() const override { return "daqp"; }

 protected:
  int solveQp(const PyramidQp& qp, Eigen::VectorXd& x) override {
    H_ = qp.H;
    g_ = qp.g;
    A_ = qp.A;
    const auto rows = static_cast<int>(A_.rows());
    lower_.setZero(rows);
    upper_.setConstant(rows, DAQP_INF);
    sense_.assign(rows, 0);
    multipliers_.resize(rows);
    DAQPProblem problem{};
    problem.n = static_cast<int>(x.size());
    problem.m = rows;
    problem.ms = 0;
    problem.H = H_.data();
    problem.f = g_.data();
    problem.A = A_.data();
    problem.bupper = upper_.data();
    problem.blower = lower_.data();
    problem.sense = sense_.data();

    DAQPSettings settings;
    daqp_default_settings(&settings);
    settings.eps_prox = 1e-4;   // of the proximal term, where the entries on the diagonal of H are one
    settings.eta_prox = 1e-11;  // the iterates stand still
    settings.primal_tol = 1e-12;
    settings.iter_limit = 10000;

    DAQPResult result{};
    result.x = x.data();
    result.lam = multipliers_.data();
    daqp_quadprog(&result, &problem, &settings);
    return result.iter;
  }

 private:
  // DAQP takes pointers to data that it may change.
  Eigen::MatrixXd H_;
  Eigen::VectorXd g_, lower_, upper_, multipliers_;
  RowMajorMatrix A_;
  std::vector<int> sense_;
};

}  // namespace
}  // namespace footfall

extern "C" footfall::ContactSolver* footfall_make_solver() { return new footfall::DaqpSolver; }

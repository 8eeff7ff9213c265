#include <casadi/core/conic.hpp>
#include <casadi/core/function.hpp>
#include <optional>
#include <vector>

#include "solver/qp/qp_contact_solver.hpp"

namespace footfall {
namespace {

/// qpOASES, a primal active-set method, as CasADi brings it along. It regularises singular G by itself.
class QpOasesSolver final : public QpContactSolver {
 public:
  std::string_view name() const override { return "qpoases"; }

 protected:
  int solveQp(const PyramidQp& qp, Eigen::VectorXd& x) override {
    // A fresh one for each problem: its hot start would make results depend on what was solved before, and it may
    // break down for good after hundreds of problems.
    casadi::Function solver = make(qp);
    const Eigen::MatrixXd A = qp.A;
    const Eigen::VectorXd lower = Eigen::VectorXd::Zero(qp.A.rows());
    const Eigen::VectorXd upper = Eigen::VectorXd::Constant(qp.A.rows(), casadi::inf);
    const Eigen::VectorXd free_below = Eigen::VectorXd::Constant(x.size(), -casadi::inf);
    const Eigen::VectorXd free_above = Eigen::VectorXd::Constant(x.size(), casadi::inf);

    arguments_.assign(solver.sz_arg(), nullptr);
    results_.assign(solver.sz_res(), nullptr);
    integers_.resize(solver.sz_iw());
    doubles_.resize(solver.sz_w());
    arguments_[casadi::CONIC_H] = qp.H.data();
    arguments_[casadi::CONIC_G] = qp.g.data();
    arguments_[casadi::CONIC_A] = A.data();
    arguments_[casadi::CONIC_LBA] = lower.data();
    arguments_[casadi::CONIC_UBA] = upper.data();
    arguments_[casadi::CONIC_LBX] = free_below.data();
    arguments_[casadi::CONIC_UBX] = free_above.data();
    results_[casadi::CONIC_X] = x.data();
    const int memory = solver.checkout();
    solver(arguments_.data(), results_.data(), integers_.data(), doubles_.data(), memory);
    const casadi::Dict stats = solver.stats(memory);
    solver.release(memory);
    const auto iterations = stats.find("iter_count");
    return iterations == stats.end() ? 0 : static_cast<int>(iterations->second.to_int());
  }

 private:
  static casadi::Function make(const PyramidQp& qp) {
    const casadi::SpDict shape = {{"h", casadi::Sparsity::dense(qp.H.rows(), qp.H.cols())},
                                  {"a", casadi::Sparsity::dense(qp.A.rows(), qp.A.cols())}};
    const casadi::Dict options = {{"printLevel", "none"},
                                  {"print_time", false},
                                  {"error_on_fail", false},
                                  {"nWSR", 10000},
                                  {"hessian_type", "semidef"},
                                  {"enableRegularisation", true},
                                  {"numRegularisationSteps", 3}};
    return casadi::conic("contacts", "qpoases", shape, options);
  }

  std::vector<const double*> arguments_;
  std::vector<double*> results_;
  std::vector<casadi_int> integers_;
  std::vector<double> doubles_;
};

}  // namespace
}  // namespace footfall

extern "C" footfall::ContactSolver* footfall_make_solver() { return new footfall::QpOasesSolver; }

#include <casadi/core/casadi_logger.hpp>
#include <casadi/core/conic.hpp>
#include <casadi/core/function.hpp>
#include <mutex>
#include <utility>
#include <vector>

#include "solver/qp/qp_contact_solver.hpp"

namespace footfall {
namespace {

casadi::Function makeQpOases(Eigen::Index variables, Eigen::Index rows) {
  const casadi::SpDict shape = {{"h", casadi::Sparsity::dense(variables, variables)},
                                {"a", casadi::Sparsity::dense(rows, variables)}};
  const casadi::Dict options = {
      {"printLevel", "none"},      {"print_time", false},          {"error_on_fail", false},     {"nWSR", 10000},
      {"hessian_type", "semidef"}, {"enableRegularisation", true}, {"numRegularisationSteps", 3}};
  return casadi::conic("contacts", "qpoases", shape, options);
}

/// While one lives, CasADi prints nothing from this thread: qpOASES prints its licence with every problem that is
/// made, whatever the print level says.
class Silence {
 public:
  Silence() {
    std::call_once(installed_, [] { write_ = std::exchange(casadi::Logger::writeFun, &writeUnlessSilent); });
    silent_ = true;
  }
  ~Silence() { silent_ = false; }

 private:
  static void writeUnlessSilent(const char* text, std::streamsize size, bool error) {
    if (!silent_) write_(text, size, error);
  }
  static inline std::once_flag installed_;
  static inline decltype(casadi::Logger::writeFun) write_ = nullptr;
  static inline thread_local bool silent_ = false;
};

/// qpOASES, a primal active-set method, as CasADi brings it along. It regularises singular G by itself.
class QpOasesSolver final : public QpContactSolver {
 public:
  std::string_view name() const override { return "qpoases"; }

 protected:
  int solveQp(const PyramidQp& qp, Eigen::VectorXd& x) override {
    const Silence silence;
    // A fresh one for each problem: its hot start would make results depend on what was solved before, and it may
    // break down for good after hundreds of problems.
    const casadi::Function solver = makeQpOases(qp.H.rows(), qp.A.rows());
    const Eigen::MatrixXd A = qp.A;
    const Eigen::VectorXd lower = Eigen::VectorXd::Zero(qp.A.rows());
    const Eigen::VectorXd upper = Eigen::VectorXd::Constant(qp.A.rows(), casadi::inf);
    const Eigen::VectorXd unbounded = Eigen::VectorXd::Constant(x.size(), casadi::inf);
    const Eigen::VectorXd unbounded_below = -unbounded;

    std::vector<const double*> arguments(solver.sz_arg(), nullptr);
    arguments[casadi::CONIC_H] = qp.H.data();
    arguments[casadi::CONIC_G] = qp.g.data();
    arguments[casadi::CONIC_A] = A.data();
    arguments[casadi::CONIC_LBA] = lower.data();
    arguments[casadi::CONIC_UBA] = upper.data();
    arguments[casadi::CONIC_LBX] = unbounded_below.data();
    arguments[casadi::CONIC_UBX] = unbounded.data();
    std::vector<double*> results(solver.sz_res(), nullptr);
    results[casadi::CONIC_X] = x.data();
    std::vector<casadi_int> integers(solver.sz_iw());
    std::vector<double> doubles(solver.sz_w());

    const int memory = solver.checkout();
    solver(arguments.data(), results.data(), integers.data(), doubles.data(), memory);
    const casadi::Dict stats = solver.stats(memory);
    solver.release(memory);
    const auto iterations = stats.find("iter_count");
    return iterations == stats.end() ? 0 : static_cast<int>(iterations->second.to_int());
  }
};

}  // namespace
}  // namespace footfall

extern "C" footfall::ContactSolver* footfall_make_solver() { return new footfall::QpOasesSolver; }

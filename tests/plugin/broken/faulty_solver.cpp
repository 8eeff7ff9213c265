// Throws what is no exception, or says that it is done and not how well.
#include <cmath>

#include "footfall/plugin.hpp"

class Faulty : public footfall::ContactSolver {
 public:
  std::string_view name() const override { return "faulty"; }
  bool supports(footfall::FrictionLaw) const override { return true; }
  void reserve(int) override {}
  void solve(const footfall::ContactProblem&, const footfall::SolverSettings&,
             footfall::ContactSolution& solution) override {
#ifdef FAULTY_THROWS
    throw 42;
#endif
    solution.status = footfall::SolveStatus::converged;
    solution.residual = std::nan("");
  }
};

FOOTFALL_SOLVER(Faulty)

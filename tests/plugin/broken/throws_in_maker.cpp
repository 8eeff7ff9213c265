#include <stdexcept>

#include "footfall/plugin.hpp"

class Thrower : public footfall::ContactSolver {
 public:
  Thrower() { throw std::runtime_error("no such device"); }
  std::string_view name() const override { return "thrower"; }
  bool supports(footfall::FrictionLaw) const override { return true; }
  void reserve(int) override {}
  void solve(const footfall::ContactProblem&, const footfall::SolverSettings&, footfall::ContactSolution&) override {}
};

FOOTFALL_SOLVER(Thrower)

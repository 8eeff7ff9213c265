// Around another solver: says at the end how often it was asked.
#include <cstdio>
#include <footfall/plugin.hpp>

class CountingSolver : public footfall::ContactSolver {
 public:
  ~CountingSolver() override { std::fprintf(stderr, "%ld contact problems were solved\n", solved_); }
  std::string_view name() const override { return "counting"; }
  bool supports(footfall::FrictionLaw law) const override { return solver_->supports(law); }
  void reserve(int max_contacts) override { solver_->reserve(max_contacts); }
  void solve(const footfall::ContactProblem& problem, const footfall::SolverSettings& settings,
             footfall::ContactSolution& solution) override {
    ++solved_;
    solver_->solve(problem, settings, solution);
  }

 private:
  std::unique_ptr<footfall::ContactSolver> solver_ = footfall::makeContactSolver("native");
  long solved_ = 0;
};

FOOTFALL_SOLVER(CountingSolver)

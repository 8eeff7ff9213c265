#include "solver/watched_solver.hpp"

#include <utility>

#include "footfall/solver/internal/plugin_solution.hpp"

namespace footfall {
namespace {

class WatchedSolver : public ContactSolver {
 public:
  WatchedSolver(std::unique_ptr<ContactSolver> inner, const std::string& name)
      : inner_(std::move(inner)), border_("solver", name) {}

  std::string_view name() const override { return inner_->name(); }
  bool supports(FrictionLaw law) const override {
    return border_.call([&] { return inner_->supports(law); });
  }
  bool takesTrees(FrictionLaw law) const override {
    return border_.call([&] { return inner_->takesTrees(law); });
  }
  void reserve(int max_contacts) override {
    border_.call([&] { inner_->reserve(max_contacts); });
  }
  void solve(const ContactProblem& problem, const SolverSettings& settings, ContactSolution& solution) override {
    const std::size_t rows = solution.impulse.size();
    border_.call([&] { inner_->solve(problem, settings, solution); });
    requireSolution(border_, solution, rows);
  }

 private:
  std::unique_ptr<ContactSolver> inner_;
  PluginBorder border_;
};

}  // namespace

std::unique_ptr<ContactSolver> watchSolver(std::unique_ptr<ContactSolver> made, const std::string& name) {
  return std::make_unique<WatchedSolver>(std::move(made), name);
}

}  // namespace footfall

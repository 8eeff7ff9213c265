#include "step/watched_parts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "footfall/base/plugin.hpp"

namespace footfall {
namespace {

/// Calls a part of a plug-in, and makes errors that name it.
class Border {
 public:
  Border(std::string kind, std::string name) : kind_(std::move(kind)), name_(std::move(name)) {}

  template <class Call>
  auto call(Call called) const {
    return callPlugin(called, [&](const std::string& problem) { return fault("threw an exception: " + problem); });
  }

  Error fault(const std::string& problem) const { return pluginFault(kind_, name_, problem); }

  /// Impulses that are not finite are found by the step itself, and end the run as a failed solve does.
  void check(const ContactSolution& solution, std::size_t rows) const {
    if (solution.impulse.size() != rows)
      throw fault(fmt::format("left {} impulses, expected the {} that it was given", solution.impulse.size(), rows));
    if (solution.status != SolveStatus::failed && !(solution.residual >= 0.0))
      throw fault(fmt::format("says that it has solved a problem with a residual of {}, expected 0 or more [m/s]",
                              solution.residual));
  }

 private:
  std::string kind_, name_;
};

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
    border_.check(solution, rows);
  }

 private:
  std::unique_ptr<ContactSolver> inner_;
  Border border_;
};

class WatchedModel : public ContactModel {
 public:
  WatchedModel(std::unique_ptr<ContactModel> inner, const std::string& name)
      : inner_(std::move(inner)), border_("contact", name) {}

  std::string_view name() const override { return inner_->name(); }
  bool hasImpacts() const override {
    return border_.call([&] { return inner_->hasImpacts(); });
  }
  bool takesShift() const override {
    return border_.call([&] { return inner_->takesShift(); });
  }
  bool takesTrees() const override {
    return border_.call([&] { return inner_->takesTrees(); });
  }
  void reserve(int max_contacts) override {
    border_.call([&] { inner_->reserve(max_contacts); });
  }
  void solve(const ContactStepInputs& inputs, ContactSolver& solver, ContactSolution& solution) override {
    const std::size_t rows = solution.impulse.size();
    border_.call([&] { inner_->solve(inputs, solver, solution); });
    border_.check(solution, rows);
  }

 private:
  std::unique_ptr<ContactModel> inner_;
  Border border_;
};

class WatchedIntegrator : public Integrator {
 public:
  WatchedIntegrator(std::unique_ptr<Integrator> inner, const std::string& name)
      : inner_(std::move(inner)), border_("integrator", name) {}

  std::string_view name() const override { return inner_->name(); }
  void reserve(const Model& model) override {
    border_.call([&] { inner_->reserve(model); });
  }
  int order() const override {
    return border_.call([&] { return inner_->order(); });
  }
  bool ownsStep() const override {
    return border_.call([&] { return inner_->ownsStep(); });
  }
  bool singleStage() const override {
    return border_.call([&] { return inner_->singleStage(); });
  }
  bool movesWithEndVelocity() const override {
    return border_.call([&] { return inner_->movesWithEndVelocity(); });
  }
  void advance(const FreeStep& step, VectorXd& q, VectorXd& nu) override {
    const auto nq = q.size(), nv = nu.size();
    border_.call([&] { inner_->advance(step, q, nu); });
    if (q.size() != nq || nu.size() != nv)
      throw border_.fault(
          fmt::format("left {} positions and {} velocities, expected {} and {}", q.size(), nu.size(), nq, nv));
  }

 private:
  std::unique_ptr<Integrator> inner_;
  Border border_;
};

}  // namespace

std::unique_ptr<ContactSolver> watchPlugin(std::unique_ptr<ContactSolver> made, const std::string& name) {
  if (name == "native") return made;
  return std::make_unique<WatchedSolver>(std::move(made), name);
}

std::unique_ptr<ContactModel> watchPlugin(std::unique_ptr<ContactModel> made, const std::string& name) {
  if (name == "rigid" || name == "gauss" || name == "compliant") return made;
  return std::make_unique<WatchedModel>(std::move(made), name);
}

std::unique_ptr<Integrator> watchPlugin(std::unique_ptr<Integrator> made, const std::string& name) {
  return std::make_unique<WatchedIntegrator>(std::move(made), name);
}

}  // namespace footfall

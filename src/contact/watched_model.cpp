#include "contact/watched_model.hpp"

#include <utility>

#include "footfall/solver/internal/plugin_solution.hpp"

namespace footfall {
namespace {

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
    requireSolution(border_, solution, rows);
  }

 private:
  std::unique_ptr<ContactModel> inner_;
  PluginBorder border_;
};

}  // namespace

std::unique_ptr<ContactModel> watchModel(std::unique_ptr<ContactModel> made, const std::string& name) {
  return std::make_unique<WatchedModel>(std::move(made), name);
}

}  // namespace footfall

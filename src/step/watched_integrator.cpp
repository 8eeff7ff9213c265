#include "step/watched_integrator.hpp"

#include <fmt/format.h>

#include <utility>

#include "footfall/base/internal/plugin_border.hpp"

namespace footfall {
namespace {

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
  PluginBorder border_;
};

}  // namespace

std::unique_ptr<Integrator> watchIntegrator(std::unique_ptr<Integrator> made, const std::string& name) {
  return std::make_unique<WatchedIntegrator>(std::move(made), name);
}

}  // namespace footfall

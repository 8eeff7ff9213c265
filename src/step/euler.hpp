#pragma once

#include "footfall/step/integrator.hpp"
#include "step/momentum.hpp"

namespace footfall {

/// The default. First order; the configuration moves with the new velocity. In flight the momentum is exact.
class SemiImplicitEuler : public Integrator {
 public:
  std::string_view name() const override { return "semi_implicit_euler"; }
  bool singleStage() const override { return true; }
  void reserve(const Model& model) override { keeper_.reserve(model); }
  void advance(const FreeStep& step, VectorXd& q, VectorXd& nu) override;

 private:
  MomentumKeeper keeper_;
};

/// The predecessor's: the configuration moves with the old velocity. First order; gains energy; lands inside the
/// ground.
class ExplicitEuler : public Integrator {
 public:
  std::string_view name() const override { return "explicit_euler"; }
  bool singleStage() const override { return true; }
  void reserve(const Model&) override {}
  void advance(const FreeStep& step, VectorXd& q, VectorXd& nu) override;
  bool movesWithEndVelocity() const override { return false; }
};

}  // namespace footfall

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "footfall/run/simulation.hpp"
#include "one_thread.hpp"

namespace footfall::python {

/// The result of a simulation's last step, always the newest one; or a copy that no step changes.
class LastResult {
 public:
  LastResult(Simulation& simulation, const OneThread& guard) : simulation_(&simulation), guard_(&guard) {}
  LastResult(StepResult result, std::vector<std::string> sole_names)
      : kept_(std::make_shared<StepResult>(std::move(result))), sole_names_(std::move(sole_names)) {}

  /// Throws while another thread makes steps.
  StepResult& get() const {
    if (kept_) return *kept_;
    guard_->requireNoOther();
    return const_cast<StepResult&>(simulation_->result());
  }
  /// Names of the frames of StepResult::soles, in their order.
  std::vector<std::string> soleNames() const;
  /// Before the first step: those that it will have.
  std::vector<std::string> solesToCome() const;
  LastResult copy() const { return {get(), soleNames()}; }

 private:
  Simulation* simulation_ = nullptr;  ///< null: a copy
  const OneThread* guard_ = nullptr;  ///< of the simulation
  std::shared_ptr<StepResult> kept_;  ///< null: that of the simulation
  std::vector<std::string> sole_names_;
};

}  // namespace footfall::python

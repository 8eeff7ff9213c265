#pragma once

#include <memory>
#include <span>
#include <vector>

#include "footfall/block/signal.hpp"
#include "footfall/dynamics/dynamics.hpp"
#include "footfall/step/step.hpp"

namespace footfall {

/// Fills the `kinDyn` bus: all of it belongs to where the forces of a step do (StepResult::q_forces), so that
/// M ν̇ + h = S τ + Jᵀ f_c + … holds between its fields. Scratch memory with an engine of its own, as that of the step
/// has moved on.
class KinDyn {
 public:
  KinDyn(const Model& model, const Settings& settings, std::vector<FrameIndex> feet);

  /// {w_H_b, s, nu, w_H_feet_sole, J_feet_sole, JDot_feet_sole_nu, M, h, motor_inertia, fc, nuDot, feet_in_contact}
  SignalType type() const;

  void write(const StepResult& result, std::span<double> bus);

 private:
  bool touches(const StepResult& result, FrameIndex foot) const;

  const Model& model_;
  std::vector<FrameIndex> feet_;
  std::unique_ptr<Dynamics> dynamics_;
  MatrixXd M_, J_;
  VectorXd h_;
};

}  // namespace footfall

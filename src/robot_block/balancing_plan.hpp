#pragma once

#include <array>

#include "footfall/block/registry.hpp"
#include "footfall/robot_block/robot_setup.hpp"

namespace footfall {

/// What passes from the plan to the balancing controller.
SignalType planBusType(int feet);

/// Stands, shifts the weight onto one foot, lifts the other, holds it, puts it down and returns: a state machine that
/// gives references for the balancing controller.
class BalancingPlan : public Block {
 public:
  static BlockDescription description();
  explicit BalancingPlan(const Parameters& parameters);

  void declare(BlockInterface& io) const override;
  void outputs(Evaluation& e) const override;
  void update(Evaluation& e) const override;

 private:
  enum Phase { stand, shift, unload, lift, hold, lower, load, back, rest };
  static constexpr int kPhases = 9;

  std::shared_ptr<const RobotSetup> setup_;
  double period_;  ///< [s]
  int swing_;      ///< number of the foot that is lifted
  double height_;  ///< of the lifted foot [m]
  double tolerance_;
  std::array<double, kPhases> durations_;  ///< [s]
  Vector3d com_middle_, com_side_;         ///< where the centre of mass stands on two feet, and on one [m]
};

}  // namespace footfall

#pragma once

#include "footfall/block/registry.hpp"
#include "footfall/robot_block/robot_setup.hpp"
#include "footfall/sensor/sensor_suite.hpp"

namespace footfall {

/// Sensors of the robot: all of the scene, or one that parameters describe. Each has an output, a bus of its channels.
///
/// Outputs are what has arrived: they do not depend on the step that begins now, so that controllers may read them.
class SensorBlock : public Block {
 public:
  SensorBlock(std::shared_ptr<const RobotSetup> setup, std::vector<SensorSpec> specs);

  void declare(BlockInterface& io) const override;
  std::unique_ptr<BlockMemory> makeMemory() const override;
  std::unique_ptr<BlockScratch> makeScratch() const override;
  void outputs(Evaluation& e) const override;
  void update(Evaluation& e) const override;

  /// Asked about channels, and with the state to read them.
  const SensorSuite& suite() const { return *suite_; }
  static SensorState& stateOf(BlockMemory& memory);

 private:
  struct Memory;
  struct Scratch;

  std::shared_ptr<const RobotSetup> setup_;
  std::vector<SensorSpec> specs_;
  std::shared_ptr<const SensorSuite> suite_;  ///< only asked about channels and memory
};

/// `Sensors`, `IMU`, `ForceTorque`, `Encoders`, `SoleSensor`, `JointTorques`.
void addSensorBlocks(BlockRegistry& registry);

}  // namespace footfall

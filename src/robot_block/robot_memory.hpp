#pragma once

#include <memory>

#include "footfall/block/block.hpp"
#include "footfall/robot_block/robot_setup.hpp"
#include "robot_block/value_memory.hpp"

namespace footfall {

/// What the robot remembers: its state, warm start of the contact solver included.
class RobotMemory : public BlockMemory {
 public:
  explicit RobotMemory(std::shared_ptr<const RobotSetup> setup) : state(setup->start()), setup_(std::move(setup)) {}

  std::unique_ptr<BlockMemory> clone() const override { return std::make_unique<RobotMemory>(*this); }

  void save(std::ostream& out) const override {
    std::ostringstream bytes;
    saveState(state, setup_->model(), bytes);
    writeFramed(bytes.str(), out);
  }

  void load(std::istream& in) override {
    std::istringstream bytes(readFramed(in, "state of the robot"));
    state = loadState(setup_->model(), bytes, "state of the robot");
  }

  State state;

 private:
  std::shared_ptr<const RobotSetup> setup_;
};

}  // namespace footfall

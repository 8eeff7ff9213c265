#pragma once

#include "footfall/block/registry.hpp"
#include "footfall/robot_block/robot_setup.hpp"

namespace footfall {

class Context;
class Diagram;

/// The whole robot with its contacts: one step of the simulation for each step of the diagram.
class Robot : public Block {
 public:
  static BlockDescription description();
  explicit Robot(const Parameters& parameters);

  void declare(BlockInterface& io) const override;
  void inferTypes(TypeInference& types) const override;
  std::unique_ptr<BlockMemory> makeMemory() const override;
  std::unique_ptr<BlockScratch> makeScratch() const override;
  void provideFunctions(Evaluation& e) const override;
  void outputs(Evaluation& e) const override;
  void update(Evaluation& e) const override;

 private:
  struct Scratch;
  friend void setRobotProfile(const Diagram&, Context&, const std::string&, StepProfile*);
  void writeState(Evaluation& e) const;
  void gatherInput(Evaluation& e, Scratch& scratch) const;
  void writeResult(Evaluation& e, Scratch& scratch) const;

  std::shared_ptr<const RobotSetup> setup_;
  Settings settings_;
  std::vector<ExternalWrench> wrench_places_;  ///< where the wrenches of the input act
};

}  // namespace footfall

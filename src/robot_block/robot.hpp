#pragma once

#include "footfall/block/registry.hpp"
#include "footfall/robot_block/robot_setup.hpp"

namespace footfall {

struct RobotStep;

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

  // For observers of the robot outside of the diagram: what it keeps in a context.
  const RobotSetup& setup() const { return *setup_; }
  const Settings& settings() const { return settings_; }
  static State& stateOf(BlockMemory& memory);
  static Workspace& workspaceOf(BlockScratch& scratch);
  static const RobotStep& stepOf(const BlockScratch& scratch);
  static std::vector<ExternalWrench>& pullsOf(BlockScratch& scratch);
  static void setProfile(BlockScratch& scratch, StepProfile* profile);

 private:
  enum In { kTorque, kGeneralizedWrench, kMotorInertia, kSprings, kWrenches, kTies, kPosition, kVelocity };
  /// Outputs of the contact frames follow.
  enum Out {
    kState,
    kQ,
    kNu,
    kKinDyn,
    kNuDot,
    kJointTorque,
    kStopTorque,
    kLoopWrenches,
    kContacts,
    kImpact,
    kResidual,
    kStep,
    kFeet
  };

  struct Scratch;
  void writeState(Evaluation& e) const;
  void gatherInput(Evaluation& e, Scratch& scratch) const;
  void writeResult(Evaluation& e, Scratch& scratch) const;

  std::shared_ptr<const RobotSetup> setup_;
  Settings settings_;
  std::vector<ExternalWrench> wrench_places_;  ///< where the wrenches of the input act
};

}  // namespace footfall

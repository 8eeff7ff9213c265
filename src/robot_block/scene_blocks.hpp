#pragma once

#include "footfall/actuator/actuators.hpp"
#include "footfall/block/registry.hpp"
#include "footfall/robot_block/robot_setup.hpp"

namespace footfall {

// Blocks for what a scene does to its robot by itself: together with `Robot` they are what Simulation does.

/// Holds the initial posture, as `hold` of the scene says.
class PostureHold : public Block {
 public:
  static BlockDescription description();
  explicit PostureHold(const Parameters& parameters);
  void declare(BlockInterface& io) const override;
  void outputs(Evaluation& e) const override;

  const JointSprings& springs() const { return springs_; }

 private:
  std::shared_ptr<const RobotSetup> setup_;
  JointSprings springs_;        ///< of all joints
  JointSprings joint_springs_;  ///< those of them that act at the joint, not through a motor
};

/// The pushes of the scene.
class Pushes : public Block {
 public:
  static BlockDescription description();
  explicit Pushes(const Parameters& parameters) : setup_(findRobotSetup(parameters)) {}
  void declare(BlockInterface& io) const override;
  void outputs(Evaluation& e) const override;

 private:
  std::shared_ptr<const RobotSetup> setup_;
};

/// The motors of the scene with their transmissions.
class Motors : public Block {
 public:
  static BlockDescription description();
  explicit Motors(const Parameters& parameters) : setup_(findRobotSetup(parameters)) {}
  void declare(BlockInterface& io) const override;
  std::unique_ptr<BlockScratch> makeScratch() const override;
  void initialize(Evaluation& e) const override;
  void outputs(Evaluation& e) const override;
  void update(Evaluation& e) const override;

  /// What the motors did when the block was evaluated last.
  static const std::vector<MotorReport>& reportsOf(const BlockScratch& scratch);

 private:
  struct Scratch;
  std::shared_ptr<const RobotSetup> setup_;
};

/// Viscous and Coulomb friction of joints, as torques: for models whose file says nothing about them.
class JointFriction : public Block {
 public:
  static BlockDescription description();
  explicit JointFriction(const Parameters& parameters);
  void declare(BlockInterface& io) const override;
  void outputs(Evaluation& e) const override;

 private:
  std::shared_ptr<const RobotSetup> setup_;
  VectorXd viscous_, coulomb_;  ///< (n)
  double slow_;                 ///< below it Coulomb friction fades [rad/s]
};

}  // namespace footfall

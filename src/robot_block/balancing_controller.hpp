#pragma once

#include "footfall/block/registry.hpp"
#include "footfall/robot_block/robot_setup.hpp"
#include "robot_block/foot_print.hpp"

namespace footfall {

/// Momentum-based whole-body control: joint torques that make the robot follow a plan of its centre of mass and feet,
/// with contact forces that the ground can give. One quadratic program for each evaluation.
class BalancingController : public Block {
 public:
  static BlockDescription description();
  explicit BalancingController(const Parameters& parameters);

  void declare(BlockInterface& io) const override;
  std::unique_ptr<BlockScratch> makeScratch() const override;
  void outputs(Evaluation& e) const override;

 private:
  enum In { kQ, kNu, kPlan };
  enum Out { kTorque, kWrenches, kComError, kIterations };
  struct Scratch;
  struct Gain {
    double stiffness, damping, weight;
  };
  struct Plan;

  Gain readGain(const Parameters& parameters, const std::string& name, const Gain& fallback) const;
  void updateModel(Evaluation& e, Scratch& s) const;
  void addTasks(const Plan& plan, Scratch& s) const;
  void addFootTask(int foot, const Plan& plan, Scratch& s) const;
  void setDynamicsRows(Scratch& s) const;
  void setWrenchCone(int foot, double load, Scratch& s) const;

  std::shared_ptr<const RobotSetup> setup_;
  double period_;      ///< [s]
  double friction_;    ///< that the controller relies on [-]
  double turning_;     ///< largest moment about the normal, for each newton that is pressed [m]
  double max_torque_;  ///< of every joint [N m]
  Gain com_, angular_, foot_, contact_, base_, posture_;
  double torque_weight_, wrench_weight_;
  std::vector<FrameIndex> feet_;
  std::vector<FootPrint> prints_;    ///< where the centre of pressure may be
  std::vector<Pose> feet_at_start_;  ///< X_WF
  Matrix3d R_WB_start_;
};

}  // namespace footfall

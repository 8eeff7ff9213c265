#pragma once

#include <cstdint>

#include "footfall/block/diagram.hpp"
#include "footfall/robot_block/robot_setup.hpp"
#include "footfall/run/robot_run.hpp"

namespace footfall {

class Motors;
class Robot;
class SensorBlock;

/// Path of the first `Robot` block of a diagram; empty: there is none.
std::string robotOf(const Diagram& diagram);
/// Its number; throws Error when there is none.
int requireRobot(const Diagram& diagram);

/// The robot of a running diagram with its motors and sensors, seen from outside: the first block of each of the kinds
/// `Robot`, `Motors` and `Sensors`.
///
///     DiagramRobot robot(diagram, context);
///     RunRecorder recorder(*log, robot);
///     while (…) {
///       const bool row = robot.due();
///       if (row) recorder.beforeStep(robot);
///       diagram.step(context);
///       if (row) recorder.afterStep(robot);
///     }
class DiagramRobot : public RobotRun {
 public:
  /// Both must outlive it. Throws Error when the diagram has no robot.
  DiagramRobot(const Diagram& diagram, Context& context);
  ~DiagramRobot() override;

  /// The next step of the diagram is one of the robot.
  bool due() const { return context_.ticks() % ticks_per_step_ == 0; }

  const Scene& scene() const override { return setup_.scene(); }
  const Model& model() const override { return setup_.model(); }
  const Settings& settings() const override { return settings_; }
  const SensorSuite& sensors() const override;

  /// What was odd about the model file and the start.
  const std::vector<std::string>& warnings() const { return setup_.world().warnings; }

  double time() const;  ///< of its state [s]
  const State& state() const override;
  const SensorState& sensorState() const override;
  void setState(const State& state) override;  ///< moves the clock of the diagram, too
  void setSensorState(const SensorState& state) override;

  TieImpact tie(const TieRequest& request) override;
  void release(std::string_view name) override;

  const StepResult& result() const override;
  const std::vector<MotorReport>& motors() const override;

  /// Wrenches that act on the robot beside those of its inputs, until they are changed: somebody pulls at it from
  /// outside of the diagram, whose state they are no part of.
  void setPulls(const std::vector<ExternalWrench>& pulls);
  /// All wrenches that acted on it in the last step: the pulls first, then those of its inputs.
  const std::vector<ExternalWrench>& wrenches() const;
  /// Springs of the first block that holds the posture of the scene; null: there is none.
  const JointSprings* posture() const;
  /// Its steps write their times here from now on; null: they look at no clock. See Workspace::setProfile().
  void setProfile(StepProfile* profile);

 private:
  const Diagram& diagram_;
  Context& context_;
  int robot_block_, motors_block_, sensors_block_;  ///< numbers; −1: there is none
  const RobotSetup& setup_;
  const Settings& settings_;
  std::int64_t ticks_per_step_;
  SensorSuite no_sensors_;
  SensorState no_sensor_state_;
  StepResult no_result_;
  std::vector<MotorReport> no_motors_;
  mutable State state_;  ///< with the motors, which a diagram keeps in a block of their own
};

}  // namespace footfall

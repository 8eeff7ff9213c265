#pragma once

#include "footfall/run/robot_run.hpp"
#include "footfall/run/simulation.hpp"

namespace footfall {

/// A simulation with the sensors of its scene.
///
///     InstrumentedSimulation robot(loadScene("icub_sensors.yaml"));
///     while (robot.simulation().time() < 1.0) robot.step();
///     robot.read("imu.acceleration").values;
class InstrumentedSimulation : public RobotRun {
 public:
  explicit InstrumentedSimulation(const Scene& scene);

  Simulation& simulation() { return simulation_; }
  const Simulation& simulation() const { return simulation_; }

  const Scene& scene() const override { return simulation_.scene(); }
  const Model& model() const override { return simulation_.model(); }
  const Settings& settings() const override { return simulation_.settings(); }
  const SensorSuite& sensors() const override { return sensors_; }

  /// The state of the sensors belongs to that of the robot: save and restore both.
  const State& state() const override { return simulation_.state(); }
  const SensorState& sensorState() const override { return sensor_state_; }
  void setState(const State& state) override { simulation_.setState(state); }
  void setSensorState(const SensorState& state) override;  ///< throws Error when the size does not fit

  TieImpact tie(const TieRequest& request) override { return simulation_.tie(request); }
  void release(std::string_view name) override { simulation_.release(name); }

  /// One step of the simulation, then of the sensors. After a failed step the sensors stay as they were.
  const StepResult& step();

  const StepResult& result() const override { return simulation_.result(); }
  const std::vector<MotorReport>& motors() const override { return simulation_.motors(); }

  using RobotRun::read;
  SensorReading read(std::string_view channel) const { return sensors_.read(channel, sensor_state_); }

 private:
  Simulation simulation_;
  SensorSuite sensors_;
  SensorState sensor_state_;
  State start_;  ///< of the step under way
};

}  // namespace footfall

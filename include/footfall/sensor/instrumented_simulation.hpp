#pragma once

#include "footfall/sensor/sensor_suite.hpp"
#include "footfall/simulate/simulation.hpp"

namespace footfall {

/// A simulation with the sensors of its scene.
///
///     InstrumentedSimulation robot(loadScene("icub_sensors.yaml"));
///     while (robot.simulation().time() < 1.0) robot.step();
///     robot.read("imu.acceleration").values;
class InstrumentedSimulation {
 public:
  explicit InstrumentedSimulation(const Scene& scene);

  Simulation& simulation() { return simulation_; }
  const Simulation& simulation() const { return simulation_; }
  const SensorSuite& sensors() const { return sensors_; }

  /// Belongs to simulation().state(): save and restore both.
  const SensorState& sensorState() const { return sensor_state_; }
  void setSensorState(const SensorState& state);  ///< throws Error when the size does not fit

  /// One step of the simulation, then of the sensors. After a failed step the sensors stay as they were.
  const StepResult& step();

  SensorReading read(std::string_view channel) const { return sensors_.read(channel, sensor_state_); }
  SensorReading read(const SensorChannel& channel) const { return sensors_.read(channel, sensor_state_); }

 private:
  Simulation simulation_;
  SensorSuite sensors_;
  SensorState sensor_state_;
  State start_;  ///< of the step under way
};

}  // namespace footfall

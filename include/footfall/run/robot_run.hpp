#pragma once

#include <string_view>
#include <vector>

#include "footfall/actuator/actuators.hpp"
#include "footfall/sensor/sensor_suite.hpp"
#include "footfall/step/tie.hpp"

namespace footfall {

/// A robot that is simulated, whoever makes its steps: a simulation of its own, or a diagram around it. For those who
/// watch: recorders, views.
class RobotRun {
 public:
  virtual ~RobotRun() = default;

  virtual const Scene& scene() const = 0;
  virtual const Model& model() const = 0;
  virtual const Settings& settings() const = 0;
  virtual const SensorSuite& sensors() const = 0;

  virtual const State& state() const = 0;              ///< now, motors included
  virtual const SensorState& sensorState() const = 0;  ///< now
  virtual void setState(const State& state) = 0;       ///< throws Error when sizes do not fit
  virtual void setSensorState(const SensorState& state) = 0;

  /// Between steps: footfall/step/tie.hpp.
  virtual TieImpact tie(const TieRequest& request) = 0;
  virtual void release(std::string_view name) = 0;

  virtual const StepResult& result() const = 0;                ///< of the last step; before the first one, empty
  virtual const std::vector<MotorReport>& motors() const = 0;  ///< what they did in it; empty where there are none

  SensorReading read(const SensorChannel& channel) const { return sensors().read(channel, sensorState()); }
};

}  // namespace footfall

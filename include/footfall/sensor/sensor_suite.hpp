#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "footfall/scene/scene.hpp"
#include "footfall/sensor/sensor_state.hpp"
#include "footfall/step/step.hpp"

namespace footfall {

/// What a sensor is, as plain data: from a scene, or written in code. See docs/sensors.md.
using SensorSpec = SceneSensor;

/// One quantity that a sensor gives.
struct SensorChannel {
  std::string name;                     ///< "imu.acceleration"
  std::string unit;                     ///< "m/s²"; "-" for plain numbers
  std::string frame;                    ///< whose axes and origin it is given in; empty: it has none
  std::vector<std::string> components;  ///< "x", "y", "z"; empty: a single number
  int sensor = -1;                      ///< number of the sensor in the list of specs
  int first = 0;                        ///< place in the samples of that sensor

  int size() const { return components.empty() ? 1 : static_cast<int>(components.size()); }
};

/// A step as sensors see it.
struct StepRecord {
  const State& start;                        ///< the state that the step started from
  std::span<const ExternalWrench> wrenches;  ///< that acted from outside during the step
  const StepResult& result;                  ///< of the step, which has not failed
};

/// What a channel says now: the newest sample that has arrived. Looks into the SensorState that it was read from.
struct SensorReading {
  double time = std::numeric_limits<double>::quiet_NaN();  ///< the instant that was measured [s]
  Eigen::Map<const VectorXd> values{nullptr, 0};           ///< [unit of the channel]; empty: nothing has arrived yet

  bool available() const { return values.size() > 0; }
};

/// The sensors of a robot. They measure the start of a step, just after its impacts: all values of one sample belong to
/// that instant, and reading.time names it. Forces and accelerations are the means of the step that begins there.
///
/// The suite is scratch memory: all that is remembered lives in SensorState.
class SensorSuite {
 public:
  /// Throws Error for names that the model does not know and for values that make no sense. The model must outlive the
  /// suite. `step` is the length of a step [s].
  SensorSuite(const Model& model, const std::vector<SensorSpec>& specs, double step, std::uint64_t run_seed = 0);
  ~SensorSuite();
  SensorSuite(SensorSuite&&) noexcept;
  SensorSuite& operator=(SensorSuite&&) noexcept;

  /// Before the first step: nothing has arrived.
  SensorState makeState() const;

  /// Call after each step, once. Allocates nothing after the first call.
  void sample(const StepRecord& record, SensorState& state);

  /// Of all sensors, in the order of the specs. Each sensor also has a channel `<name>.time`.
  const std::vector<SensorChannel>& channels() const;
  /// By its name; throws Error with the nearest names when there is none.
  const SensorChannel& channel(std::string_view name) const;

  SensorReading read(const SensorChannel& channel, const SensorState& state) const;
  SensorReading read(std::string_view channel_name, const SensorState& state) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace footfall

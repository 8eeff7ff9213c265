#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "footfall/spatial/pose.hpp"

namespace footfall {

class SensorSuite;

/// Everything that sensors remember: samples on their way, samples that are held, biases that wander. A value: copy it,
/// save it and restore it together with State, and the readings go on bit for bit. SensorSuite::makeState() makes one.
struct SensorState {
  std::int64_t steps = 0;  ///< that were seen
  VectorXd memory;         ///< as the suite lays it out
};

/// Binary, exact to the last bit, versioned. `load` throws Error when it does not fit the suite.
void saveSensorState(const SensorState& state, std::ostream& out);
SensorState loadSensorState(const SensorSuite& suite, std::istream& in, const std::string& source_name);

}  // namespace footfall

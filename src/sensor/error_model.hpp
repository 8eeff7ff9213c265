#pragma once

#include <vector>

#include "sensor/sensors.hpp"

namespace footfall {

/// What stands between a quantity and its reading: bias, a bias that wanders, noise, and steps of the resolution.
class ErrorModel {
 public:
  /// `first_channel` numbers the independent errors of a sensor; `period` is the time between samples [s].
  ErrorModel(const SensorSpec& spec, const SensedQuantity& quantity, std::uint32_t first_channel, double period);

  int memory() const { return static_cast<int>(bias_.size()); }

  /// Turns true values into readings. `walk` are the biases that wander, which move on for the next sample.
  void apply(std::uint64_t key, std::uint64_t sample, Eigen::Ref<VectorXd> walk, Eigen::Ref<VectorXd> values);

 private:
  ErrorKind kind_;
  std::uint32_t first_channel_;
  double noise_, walk_step_, resolution_;
  VectorXd bias_;
  VectorXd error_;  ///< scratch
};

/// Throws Error for a quantity that the sensor does not have.
void checkQuantityNames(const SensorSpec& spec, const std::vector<SensedQuantity>& quantities);

}  // namespace footfall

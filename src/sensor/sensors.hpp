#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sensor/instant.hpp"

namespace footfall {

/// How errors enter a quantity.
enum class ErrorKind {
  additive,  ///< to each component
  rotation,  ///< as a small rotation in the sensor's axes; the values are a quaternion, then roll, pitch, yaw
  none,
};

/// Something that a sensor measures; the numbers of a sample are its quantities, one after the other.
struct SensedQuantity {
  std::string name;  ///< by which a spec names its noise: "acceleration"
  ErrorKind error = ErrorKind::additive;
  std::vector<SensorChannel> channels;  ///< that it fills, names without that of the sensor

  int size() const;            ///< numbers in a sample
  int errorDimension() const;  ///< independent errors
};

/// A sensor without flaws: what it measures, and how.
class Sensor {
 public:
  virtual ~Sensor() = default;
  virtual std::vector<SensedQuantity> quantities() const = 0;
  virtual bool needsMotion() const { return false; }  ///< of the links
  /// Writes all the quantities; of rotations the quaternion only.
  virtual void measure(const Instant& instant, Eigen::Ref<VectorXd> values) const = 0;
};

/// Throws Error for names that the model does not know, and for keys that this type of sensor does not have.
std::unique_ptr<Sensor> makeSensor(const SensorSpec& spec, const Model& model);

/// What errors about a sensor start with: its place in the scene, or its name.
std::string placeOf(const SensorSpec& spec);

}  // namespace footfall

#include "sensor/error_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "footfall/base/error.hpp"
#include "footfall/base/internal/counter_noise.hpp"
#include "footfall/base/suggest.hpp"

namespace footfall {
namespace {

double readSize(const SensorSpec& spec, const std::map<std::string, double>& given, const char* key,
                const std::string& quantity) {
  const auto found = given.find(quantity);
  if (found == given.end()) return 0.0;
  if (found->second >= 0.0 && std::isfinite(found->second)) return found->second;
  throw Error(placeOf(spec),
              fmt::format("sensor '{}': {}.{} is {}, expected 0 or more", spec.name, key, quantity, found->second));
}

VectorXd readBias(const SensorSpec& spec, const SensedQuantity& quantity) {
  const int size = quantity.errorDimension();
  const auto found = spec.bias.find(quantity.name);
  if (found == spec.bias.end()) return VectorXd::Zero(size);
  const std::vector<double>& given = found->second;
  if (given.size() == 1) return VectorXd::Constant(size, given[0]);
  if (static_cast<int>(given.size()) != size)
    throw Error(placeOf(spec), fmt::format("sensor '{}': bias.{} has {} entries, expected 1 or {}", spec.name,
                                           quantity.name, given.size(), size));
  return Eigen::Map<const VectorXd>(given.data(), size);
}

/// The angles of R = Rz(yaw) Ry(pitch) Rx(roll).
Vector3d rollPitchYaw(const Matrix3d& R) {
  return {std::atan2(R(2, 1), R(2, 2)), std::atan2(-R(2, 0), std::hypot(R(0, 0), R(1, 0))),
          std::atan2(R(1, 0), R(0, 0))};
}

/// Quaternion, then roll, pitch and yaw. Of the two quaternions of a rotation the one with w ≥ 0.
void rotate(const Vector3d& error_S, Eigen::Ref<VectorXd> values) {
  Eigen::Quaterniond Q_WS(values[3], values[0], values[1], values[2]);
  Q_WS = (Q_WS * expQuaternion(error_S)).normalized();
  if (Q_WS.w() < 0.0) Q_WS.coeffs() = -Q_WS.coeffs();
  values.head<4>() = Q_WS.coeffs();
  values.tail<3>() = rollPitchYaw(Q_WS.toRotationMatrix());
}

}  // namespace

ErrorModel::ErrorModel(const SensorSpec& spec, const SensedQuantity& quantity, std::uint32_t first_channel,
                       double period)
    : kind_(quantity.error),
      first_channel_(first_channel),
      noise_(readSize(spec, spec.noise, "noise", quantity.name)),
      walk_step_(readSize(spec, spec.bias_walk, "bias_walk", quantity.name) * std::sqrt(period)),
      resolution_(readSize(spec, spec.resolution, "resolution", quantity.name)),
      bias_(readBias(spec, quantity)),
      error_(bias_) {
  if (kind_ == ErrorKind::rotation && resolution_ > 0.0)
    throw Error(placeOf(spec), fmt::format("sensor '{}': an orientation has no resolution", spec.name));
}

void ErrorModel::apply(std::uint64_t key, std::uint64_t sample, Eigen::Ref<VectorXd> walk,
                       Eigen::Ref<VectorXd> values) {
  if (kind_ == ErrorKind::none) return;
  for (int i = 0; i < error_.size(); ++i) {
    const std::uint32_t channel = first_channel_ + static_cast<std::uint32_t>(i);
    error_[i] = bias_[i] + walk[i];
    if (noise_ > 0.0) error_[i] += noise_ * gaussian(key, channel, sample, NoiseUse::sample);
    if (walk_step_ > 0.0) walk[i] += walk_step_ * gaussian(key, channel, sample, NoiseUse::bias_walk);
  }
  if (kind_ == ErrorKind::rotation) return rotate(error_, values);
  values += error_;
  if (resolution_ > 0.0) values = resolution_ * (values / resolution_).array().round().matrix();
}

void checkQuantityNames(const SensorSpec& spec, const std::vector<SensedQuantity>& quantities) {
  std::vector<std::string> names;
  for (const SensedQuantity& quantity : quantities)
    if (quantity.error != ErrorKind::none) names.push_back(quantity.name);
  const auto check = [&](const char* key, const auto& given) {
    for (const auto& [name, value] : given)
      if (std::find(names.begin(), names.end(), name) == names.end())
        throw Error(placeOf(spec),
                    fmt::format("sensor '{}': {} names '{}', which a sensor of type {} does not measure", spec.name,
                                key, name, spec.type),
                    suggestOrList(name, names));
  };
  check("noise", spec.noise);
  check("bias", spec.bias);
  check("bias_walk", spec.bias_walk);
  check("resolution", spec.resolution);
}

}  // namespace footfall

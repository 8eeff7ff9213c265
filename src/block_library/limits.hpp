#pragma once

#include "block_library/shapes.hpp"

namespace footfall {

/// The parameters `lower` and `upper` of a block: numbers or lists; infinite where they are not given.
class Limits {
 public:
  explicit Limits(const Parameters& parameters);
  Limits(double lower, double upper) : lower_(VectorXd::Constant(1, lower)), upper_(VectorXd::Constant(1, upper)) {}

  double lower(std::size_t i) const { return element(lower_, i); }
  double upper(std::size_t i) const { return element(upper_, i); }
  double clamp(double value, std::size_t i) const {
    return value < lower(i) ? lower(i) : value > upper(i) ? upper(i) : value;
  }
  void clampAll(Eigen::Map<VectorXd> values) const {
    for (Eigen::Index i = 0; i < values.size(); ++i) values[i] = clamp(values[i], static_cast<std::size_t>(i));
  }
  /// Would a value at a limit leave it at this rate?
  bool blocks(double value, double rate, std::size_t i) const {
    return (value >= upper(i) && rate > 0.0) || (value <= lower(i) && rate < 0.0);
  }
  /// How far values are above their limits, two numbers for each: for Block::crossings().
  void crossings(std::span<const double> values, std::span<double> distances) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      distances[2 * i] = values[i] - lower(i);
      distances[2 * i + 1] = values[i] - upper(i);
    }
  }
  void checkShape(const SignalType& type) const;

 private:
  VectorXd lower_, upper_;
};

std::vector<ParameterDescription> limitDescriptions();

}  // namespace footfall

#pragma once

#include <string>
#include <string_view>

namespace footfall {

/// What a number in a scene file measures; decides which units may follow it.
enum class Quantity {
  plain,              ///< no unit
  angle,              ///< rad, deg
  length,             ///< m, cm, mm
  position,           ///< of a joint: an angle or a length
  time,               ///< s, ms, us, min
  frequency,          ///< Hz, kHz
  speed,              ///< m/s, km/h
  turn_rate,          ///< rad/s, deg/s, rpm
  joint_rate,         ///< of a joint: an angular velocity or a speed
  angular_frequency,  ///< of an oscillation: rad/s, Hz
  acceleration,       ///< m/s²
  force,              ///< N, kN
  moment,             ///< N m
};

/// "a time (s, ms, us or min; plain numbers are s)"
std::string describe(Quantity quantity);

/// Regular expression of the text of such a number with a unit, for the schema.
std::string unitPattern(Quantity quantity);

/// The number in SI units; throws std::invalid_argument that says what was expected.
double parseQuantity(std::string_view text, Quantity quantity);

}  // namespace footfall

#include "footfall/base/units.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <vector>

#include "footfall/base/text_number.hpp"

namespace footfall {
namespace {

struct Unit {
  std::string_view name;
  double factor;         ///< to SI
  double divisor = 1.0;  ///< the same for small units: 100 us are 100/1e6 s to the last bit, and 100 · 1e-6 are less
};

struct QuantityInfo {
  std::string_view name;
  std::vector<Unit> units;  ///< the first is the SI unit
};

const QuantityInfo& infoOf(Quantity quantity) {
  constexpr double kDegree = std::numbers::pi / 180.0;
  static const QuantityInfo plain{"a plain number", {}};
  static const QuantityInfo angle{"an angle", {{"rad", 1.0}, {"deg", kDegree}}};
  static const QuantityInfo length{"a length", {{"m", 1.0}, {"cm", 1.0, 1e2}, {"mm", 1.0, 1e3}}};
  static const QuantityInfo position{"a joint position",
                                     {{"rad", 1.0}, {"deg", kDegree}, {"m", 1.0}, {"cm", 1.0, 1e2}, {"mm", 1.0, 1e3}}};
  static const QuantityInfo time{"a time", {{"s", 1.0}, {"ms", 1.0, 1e3}, {"us", 1.0, 1e6}, {"min", 60.0}}};
  static const QuantityInfo frequency{"a frequency", {{"Hz", 1.0}, {"kHz", 1e3}}};
  static const QuantityInfo speed{"a speed", {{"m/s", 1.0}, {"km/h", 1.0, 3.6}}};
  static const QuantityInfo turn_rate{"an angular velocity",
                                      {{"rad/s", 1.0}, {"deg/s", kDegree}, {"rpm", std::numbers::pi / 30.0}}};
  static const QuantityInfo joint_rate{
      "a joint velocity",
      {{"rad/s", 1.0}, {"deg/s", kDegree}, {"rpm", std::numbers::pi / 30.0}, {"m/s", 1.0}, {"km/h", 1.0, 3.6}}};
  static const QuantityInfo angular_frequency{"an angular frequency", {{"rad/s", 1.0}, {"Hz", 2.0 * std::numbers::pi}}};
  static const QuantityInfo acceleration{"an acceleration", {{"m/s²", 1.0}, {"m/s^2", 1.0}, {"m/s2", 1.0}}};
  static const QuantityInfo force{"a force", {{"N", 1.0}, {"kN", 1e3}}};
  static const QuantityInfo moment{"a moment", {{"Nm", 1.0}, {"N m", 1.0}}};
  switch (quantity) {
    case Quantity::plain:
      return plain;
    case Quantity::angle:
      return angle;
    case Quantity::length:
      return length;
    case Quantity::position:
      return position;
    case Quantity::time:
      return time;
    case Quantity::frequency:
      return frequency;
    case Quantity::speed:
      return speed;
    case Quantity::turn_rate:
      return turn_rate;
    case Quantity::joint_rate:
      return joint_rate;
    case Quantity::angular_frequency:
      return angular_frequency;
    case Quantity::acceleration:
      return acceleration;
    case Quantity::force:
      return force;
    case Quantity::moment:
      return moment;
  }
  return plain;
}

const Unit* findUnit(const QuantityInfo& info, std::string_view name) {
  for (const Unit& known : info.units)
    if (known.name == name) return &known;
  return nullptr;
}

/// The number at the beginning of `text` ("5" of "5 deg" and of "5deg"), and what follows it.
std::pair<std::optional<double>, std::string_view> splitNumber(std::string_view text) {
  // Longest prefix that is a number: "1e3 m" must not be read as 1 and "e3 m".
  for (std::size_t length = text.size(); length > 0; --length) {
    if (const auto value = parseNumber(text.substr(0, length))) {
      const std::size_t unit = text.find_first_not_of(" \t", length);
      return {value, unit == std::string_view::npos ? std::string_view() : text.substr(unit)};
    }
  }
  return {std::nullopt, text};
}

}  // namespace

std::string describe(Quantity quantity) {
  const QuantityInfo& info = infoOf(quantity);
  if (info.units.empty()) return std::string(info.name);
  std::string units;
  for (const Unit& unit : info.units) units += (units.empty() ? "" : ", ") + std::string(unit.name);
  return fmt::format("{} ({}; a number alone is in SI units)", info.name, units);
}

std::string unitPattern(Quantity quantity) {
  std::string units;
  for (const Unit& unit : infoOf(quantity).units) {
    units += units.empty() ? "" : "|";
    for (const char c : unit.name) units += c == '^' ? std::string("\\^") : std::string(1, c);
  }
  return fmt::format("^[-+0-9.eE]+ *({})$", units);
}

double parseQuantity(std::string_view text, Quantity quantity) {
  const auto [value, unit] = splitNumber(text);
  if (!value || !std::isfinite(*value))
    throw std::invalid_argument(fmt::format("'{}', expected {}", text, describe(quantity)));
  if (unit.empty()) return *value;
  // The longest beginning of 1e400 that is a number is 1e40.
  if (std::isdigit(static_cast<unsigned char>(unit.front())) != 0 && text.ends_with(unit) &&
      std::isdigit(static_cast<unsigned char>(text[text.size() - unit.size() - 1])) != 0)
    throw std::invalid_argument(
        fmt::format("'{}', which is too large a number, expected {}", text, describe(quantity)));
  if (const Unit* known = findUnit(infoOf(quantity), unit)) return *value * known->factor / known->divisor;
  throw std::invalid_argument(fmt::format("'{}', with the unit '{}', expected {}", text, unit, describe(quantity)));
}

}  // namespace footfall

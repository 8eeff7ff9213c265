#include "footfall/block_io/internal/signal_text.hpp"

#include <fmt/format.h>

namespace footfall {
namespace {

std::string withUnit(std::string size, const std::string& unit) {
  if (unit.empty() || unit == "-") return size;
  return size.empty() ? unit : size + " · " + unit;
}

std::string seconds(double time) {
  if (time >= 1.0) return fmt::format("{:.6g} s", time);
  return time >= 1e-3 ? fmt::format("{:.6g} ms", 1e3 * time) : fmt::format("{:.6g} us", 1e6 * time);
}

}  // namespace

std::string shortText(const SignalType& type) {
  switch (type.kind) {
    case SignalType::Kind::vector:
      return withUnit(type.rows < 0 ? "n" : std::to_string(type.rows), type.unit);
    case SignalType::Kind::matrix:
      return withUnit(fmt::format("{} × {}", type.rows, type.columns), type.unit);
    case SignalType::Kind::pose:
      return "pose";
    case SignalType::Kind::boolean:
      return "yes/no";
    case SignalType::Kind::bus:
      return "bus";
    case SignalType::Kind::function:
      return "function";
    case SignalType::Kind::any:
    case SignalType::Kind::scalar:
      break;
  }
  return withUnit("", type.unit);
}

std::string shortText(const SampleTime& sample_time) {
  switch (sample_time.kind) {
    case SampleTime::Kind::inherited:
      return "inherited";
    case SampleTime::Kind::constant:
      return "constant";
    case SampleTime::Kind::continuous:
      return "continuous";
    case SampleTime::Kind::discrete:
      break;
  }
  const std::string period = seconds(sample_time.period);
  return sample_time.offset > 0.0 ? period + " + " + seconds(sample_time.offset) : period;
}

}  // namespace footfall

#include "block_library/shapes.hpp"

#include <fmt/format.h>

#include <numeric>
#include <vector>

#include "footfall/base/error.hpp"

namespace footfall {
namespace {

using Kind = SignalType::Kind;

template <class Ports>
std::optional<SignalType> join(const TypeInference& types, const Ports& ports, Units units) {
  std::optional<SignalType> joined;
  std::string unit;
  for (const int port : ports) {
    const std::optional<SignalType> type = numbersAt(types, port);
    if (!type) continue;
    if (!joined || (joined->size() == 1 && type->size() != 1)) {
      joined = type;
    } else if (type->size() != 1 && (type->rows != joined->rows || type->columns != joined->columns)) {
      throw Error("", fmt::format("its inputs have different shapes: {} and {}", joined->describe(), type->describe()));
    }
    if (units == Units::ignored) continue;
    if (unit.empty()) unit = type->unit;
    const std::string problem = mismatch(SignalType::scalar(type->unit), SignalType::scalar(unit));
    if (!problem.empty())
      throw Error("", fmt::format("its inputs have different units: [{}] and [{}]", unit, type->unit));
  }
  if (joined) joined->unit = unit;
  return joined;
}

}  // namespace

SignalType numbers(Eigen::Index size, const std::string& unit) {
  return size == 1 ? SignalType::scalar(unit) : SignalType::vector(static_cast<int>(size), unit);
}

SignalType withUnit(SignalType type, const std::string& unit) {
  type.unit = unit;
  return type;
}

std::optional<SignalType> numbersAt(const TypeInference& types, int input) {
  const SignalType& type = types.input(input);
  if (!type.complete()) return std::nullopt;
  if (type.kind == Kind::boolean) return SignalType::scalar("-");
  if (type.kind == Kind::pose || type.kind == Kind::bus || type.kind == Kind::function)
    throw Error("", fmt::format("input {} is a {}, expected a scalar, vector or matrix", input + 1, type.describe()),
                type.kind == Kind::bus ? "connect a field of the bus: \"block.port.field\"" : "");
  return type;
}

std::optional<SignalType> joinedShape(const TypeInference& types, std::initializer_list<int> inputs, Units units) {
  return join(types, inputs, units);
}

std::optional<SignalType> joinedShape(const TypeInference& types, int first, int count, Units units) {
  std::vector<int> ports(static_cast<std::size_t>(count));
  std::iota(ports.begin(), ports.end(), first);
  return join(types, ports, units);
}

Eigen::Index commonLength(const Parameters& parameters, std::initializer_list<const char*> names) {
  Eigen::Index length = 1;
  for (const char* name : names) {
    if (!parameters.has(name)) continue;
    const Eigen::Index own = parameters.length(name);
    if (own == 0) throw parameters.error(name, "is an empty list, expected a number or several");
    if (own != 1 && length != 1 && own != length)
      throw parameters.error(name, fmt::format("has {} numbers, expected 1 or {} as the others", own, length));
    if (own != 1) length = own;
  }
  return length;
}

int sizeParameter(const Parameters& parameters, const char* name, int fallback, int least) {
  constexpr int kMost = 1'000'000;
  const int size = parameters.count(name, fallback);
  if (size < least || size > kMost)
    throw parameters.error(name, fmt::format("is {}, expected {} to {}", size, least, kMost));
  return size;
}

void requireLength(const char* parameter, const VectorXd& values, const SignalType& type) {
  if (values.size() == 1 || values.size() == type.size()) return;
  throw Error("", fmt::format("parameter '{}' has {} numbers, but the signal is a {}", parameter, values.size(),
                              type.describe()));
}

void requireRising(const Parameters& parameters, const char* name, const VectorXd& values) {
  for (Eigen::Index i = 1; i < values.size(); ++i)
    if (!(values[i] > values[i - 1]))
      throw parameters.error(name,
                             fmt::format("has {} after {}, expected numbers that rise", values[i], values[i - 1]));
}

SampleTime requiredSampleTime(const Parameters& parameters) {
  const double period = parameters.number("sample", Quantity::time);
  if (!(period > 0.0)) throw parameters.error("sample", fmt::format("is {} s, expected a time above zero", period));
  return SampleTime::discrete(period, parameters.number("offset", 0.0, Quantity::time));
}

ParameterDescription sampleDescription() { return {"sample", "period at which it is evaluated", "", "s", true}; }
ParameterDescription unitDescription() { return {"unit", "unit of the output", "open: fits every input", "", false}; }

}  // namespace footfall

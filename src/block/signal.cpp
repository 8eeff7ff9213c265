#include "footfall/block/signal.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"

namespace footfall {
namespace {

using Kind = SignalType::Kind;

std::string sizeText(int size) { return size < 0 ? "any size" : std::to_string(size); }

/// "N m", "N·m" and "N*m" are the same unit.
std::string canonicalUnit(const std::string& unit) {
  std::string canonical;
  for (std::size_t i = 0; i < unit.size(); ++i) {
    if (unit.compare(i, 2, "·") == 0) {
      ++i;
    } else if (unit[i] != ' ' && unit[i] != '*') {
      canonical += unit[i];
    }
  }
  return canonical;
}

bool unitsFit(const std::string& given, const std::string& wanted) {
  return given.empty() || wanted.empty() || canonicalUnit(given) == canonicalUnit(wanted);
}

bool sizesFit(int given, int wanted) { return wanted < 0 || given == wanted; }

/// A scalar may stand for a vector of one, a vector for a matrix of one column, a flag for the number 0 or 1.
bool shapesFit(const SignalType& given, const SignalType& wanted) {
  const auto columns = [](const SignalType& type) { return type.kind == Kind::matrix ? type.columns : 1; };
  const auto is_array = [](Kind kind) { return kind == Kind::scalar || kind == Kind::vector || kind == Kind::matrix; };
  if (wanted.kind == Kind::any) return true;
  if (given.kind == Kind::boolean && wanted.kind == Kind::scalar) return true;
  if (is_array(given.kind) && is_array(wanted.kind))
    return sizesFit(given.rows, wanted.rows) && sizesFit(columns(given), columns(wanted));
  return given.kind == wanted.kind;
}

std::string busMismatch(const SignalType& given, const SignalType& wanted) {
  if (wanted.fields.empty()) return "";
  if (given.fields.size() != wanted.fields.size())
    return fmt::format("{} does not fit {}", given.describe(), wanted.describe());
  for (std::size_t i = 0; i < wanted.fields.size(); ++i) {
    if (given.fields[i].name != wanted.fields[i].name)
      return fmt::format("its field {} is '{}', expected '{}'", i + 1, given.fields[i].name, wanted.fields[i].name);
    const std::string problem = mismatch(given.fields[i].type, wanted.fields[i].type);
    if (!problem.empty()) return fmt::format("field '{}': {}", given.fields[i].name, problem);
  }
  return "";
}

}  // namespace

SignalType SignalType::any(std::string unit) { return {Kind::any, -1, -1, std::move(unit), {}}; }
SignalType SignalType::scalar(std::string unit) { return {Kind::scalar, 1, 1, std::move(unit), {}}; }
SignalType SignalType::vector(int size, std::string unit) { return {Kind::vector, size, 1, std::move(unit), {}}; }
SignalType SignalType::matrix(int rows, int columns, std::string unit) {
  return {Kind::matrix, rows, columns, std::move(unit), {}};
}
SignalType SignalType::pose() { return {Kind::pose, 7, 1, "", {}}; }
SignalType SignalType::boolean() { return {Kind::boolean, 1, 1, "-", {}}; }
SignalType SignalType::bus(std::vector<BusField> fields) { return {Kind::bus, -1, -1, "", std::move(fields)}; }
SignalType SignalType::function(std::string signature) { return {Kind::function, 0, 0, std::move(signature), {}}; }

bool SignalType::complete() const {
  if (kind == Kind::any) return false;
  if (kind == Kind::bus)
    return !fields.empty() && std::all_of(fields.begin(), fields.end(), [](const BusField& field) {
      return field.type.kind != Kind::function && field.type.complete();
    });
  return rows >= 0 && columns >= 0;
}

int SignalType::size() const {
  if (kind != Kind::bus) return rows * columns;
  int total = 0;
  for (const BusField& field : fields) total += field.type.size();
  return total;
}

std::string SignalType::describe() const {
  const std::string in_unit = unit.empty() ? "" : fmt::format(" [{}]", unit);
  switch (kind) {
    case Kind::any:
      return "any signal" + in_unit;
    case Kind::scalar:
      return "scalar" + in_unit;
    case Kind::vector:
      return fmt::format("vector of {}{}", sizeText(rows), in_unit);
    case Kind::matrix:
      return fmt::format("matrix of {} × {}{}", sizeText(rows), sizeText(columns), in_unit);
    case Kind::pose:
      return "pose";
    case Kind::boolean:
      return "boolean";
    case Kind::function:
      return fmt::format("function '{}'", unit);
    case Kind::bus:
      break;
  }
  std::string names;
  for (const BusField& field : fields) names += (names.empty() ? "" : ", ") + field.name;
  return names.empty() ? "bus" : fmt::format("bus {{{}}}", names);
}

SignalPart findField(const SignalType& type, const std::string& path) {
  if (path.empty()) return {type, 0};
  const auto dot = path.find('.');
  const std::string name = path.substr(0, dot);
  if (type.kind != Kind::bus)
    throw Error("", fmt::format("there is no field '{}' in a {}", name, type.describe()), "only a bus has fields");
  int offset = 0;
  std::vector<std::string> names;
  for (const BusField& field : type.fields) {
    if (field.name == name) {
      SignalPart part = findField(field.type, dot == std::string::npos ? "" : path.substr(dot + 1));
      part.offset += offset;
      return part;
    }
    names.push_back(field.name);
    offset += field.type.size();
  }
  throw Error("", fmt::format("there is no field '{}' in the bus", name), suggestOrList(name, names));
}

std::string mismatch(const SignalType& given, const SignalType& wanted) {
  const std::string both = fmt::format("{} does not fit {}", given.describe(), wanted.describe());
  if (!shapesFit(given, wanted)) return both;
  if (!unitsFit(given.unit, wanted.unit)) return both;
  return wanted.kind == Kind::bus ? busMismatch(given, wanted) : "";
}

}  // namespace footfall

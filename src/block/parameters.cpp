#include "footfall/block/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"

namespace footfall {
namespace {

std::string found(const ParameterValue& value) {
  struct Describe {
    std::string operator()(std::monostate) const { return "nothing"; }
    std::string operator()(bool flag) const { return flag ? "'true'" : "'false'"; }
    std::string operator()(double number) const { return fmt::format("{}", number); }
    std::string operator()(const std::string& text) const { return fmt::format("'{}'", text); }
    std::string operator()(const ParameterValue::List&) const { return "a list"; }
    std::string operator()(const ParameterValue::Map&) const { return "a map"; }
  };
  return std::visit(Describe{}, value.value);
}

Error wrongValue(const Parameters& parameters, const std::string& name, const std::string& expected) {
  return parameters.error(name, fmt::format("is {}, expected {}", found(parameters.value(name)), expected));
}

double toNumber(const Parameters& parameters, const std::string& name, const ParameterValue& value,
                Quantity quantity = Quantity::plain) {
  if (const double* number = std::get_if<double>(&value.value)) return *number;
  if (const std::string* text = std::get_if<std::string>(&value.value)) {
    try {
      return parseQuantity(*text, quantity);
    } catch (const std::invalid_argument& problem) {
      throw parameters.error(name, fmt::format("is {}", problem.what()));
    }
  }
  throw parameters.error(name, fmt::format("is {}, expected {}", found(value), describe(quantity)));
}

VectorXd toVector(const Parameters& parameters, const std::string& name, const ParameterValue& value,
                  Quantity quantity = Quantity::plain) {
  const auto* list = std::get_if<ParameterValue::List>(&value.value);
  if (list == nullptr) return VectorXd::Constant(1, toNumber(parameters, name, value, quantity));
  VectorXd numbers(list->size());
  for (std::size_t i = 0; i < list->size(); ++i) numbers[i] = toNumber(parameters, name, (*list)[i], quantity);
  return numbers;
}

}  // namespace

ParameterValue::ParameterValue(const VectorXd& numbers) {
  List list;
  for (const double number : numbers) list.emplace_back(number);
  value = std::move(list);
}

ParameterValue::ParameterValue(const std::vector<std::string>& texts) { value = List(texts.begin(), texts.end()); }

Parameters::Parameters(std::initializer_list<std::pair<const std::string, ParameterValue>> values) : values_(values) {}

bool Parameters::has(const std::string& name) const {
  const auto found = values_.find(name);
  return found != values_.end() && found->second.given();
}

const ParameterValue& Parameters::value(const std::string& name) const {
  if (!has(name)) throw error(name, "is missing", "give it a value");
  return values_.at(name);
}

std::vector<std::string> Parameters::names() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : values_) names.push_back(name);
  return names;
}

double Parameters::number(const std::string& name, Quantity quantity) const {
  return toNumber(*this, name, value(name), quantity);
}

double Parameters::number(const std::string& name, double fallback, Quantity quantity) const {
  return has(name) ? number(name, quantity) : fallback;
}

int Parameters::count(const std::string& name) const {
  const double number = this->number(name);
  if (number < 0.0 || number > 1e9 || number != std::floor(number))
    throw wrongValue(*this, name, "a whole number, 0 or more");
  return static_cast<int>(number);
}

int Parameters::count(const std::string& name, int fallback) const { return has(name) ? count(name) : fallback; }

bool Parameters::flag(const std::string& name, bool fallback) const {
  if (!has(name)) return fallback;
  if (const bool* flag = std::get_if<bool>(&value(name).value)) return *flag;
  throw wrongValue(*this, name, "true or false");
}

std::string Parameters::text(const std::string& name) const {
  if (const auto* text = std::get_if<std::string>(&value(name).value)) return *text;
  throw wrongValue(*this, name, "a text");
}

std::string Parameters::text(const std::string& name, const std::string& fallback) const {
  return has(name) ? text(name) : fallback;
}

std::string Parameters::choice(const std::string& name, const std::vector<std::string>& choices) const {
  const std::string chosen = text(name);
  if (std::find(choices.begin(), choices.end(), chosen) == choices.end())
    throw error(name, fmt::format("is '{}', which is no choice", chosen), suggestOrList(chosen, choices));
  return chosen;
}

std::vector<std::string> Parameters::texts(const std::string& name) const {
  const auto* list = std::get_if<ParameterValue::List>(&value(name).value);
  if (list == nullptr) return {text(name)};
  std::vector<std::string> texts;
  for (const ParameterValue& item : *list) {
    const auto* text = std::get_if<std::string>(&item.value);
    if (text == nullptr) throw error(name, fmt::format("holds {}, expected texts only", found(item)));
    texts.push_back(*text);
  }
  return texts;
}

VectorXd Parameters::vector(const std::string& name, Quantity quantity) const {
  return toVector(*this, name, value(name), quantity);
}

VectorXd Parameters::vector(const std::string& name, const VectorXd& fallback, Quantity quantity) const {
  return has(name) ? vector(name, quantity) : fallback;
}

Eigen::Index Parameters::length(const std::string& name) const {
  const auto* list = std::get_if<ParameterValue::List>(&value(name).value);
  return list == nullptr ? 1 : static_cast<Eigen::Index>(list->size());
}

MatrixXd Parameters::matrix(const std::string& name) const {
  const auto* list = std::get_if<ParameterValue::List>(&value(name).value);
  if (list == nullptr || list->empty()) return MatrixXd::Constant(1, 1, number(name));
  MatrixXd matrix;
  for (std::size_t row = 0; row < list->size(); ++row) {
    const VectorXd numbers = toVector(*this, name, (*list)[row]);
    if (row == 0) matrix.resize(list->size(), numbers.size());
    if (numbers.size() != matrix.cols())
      throw error(name, fmt::format("has {} numbers in row {}, expected {} as in the first row", numbers.size(),
                                    row + 1, matrix.cols()));
    matrix.row(row) = numbers.transpose();
  }
  return matrix;
}

Error Parameters::error(const std::string& name, const std::string& what, const std::string& hint) const {
  const auto found = values_.find(name);
  const std::string place = found != values_.end() && !found->second.where.empty() ? found->second.where : where;
  return Error(place, fmt::format("block {}: parameter '{}' {}", block, name, what), hint);
}

}  // namespace footfall

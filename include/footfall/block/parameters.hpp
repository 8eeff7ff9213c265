#pragma once

#include <map>
#include <memory>
#include <string>
#include <typeinfo>
#include <variant>
#include <vector>

#include "footfall/base/units.hpp"
#include "footfall/spatial/pose.hpp"

namespace footfall {

/// A value given to a block: a number, a text, a flag, a list or a map of them. Knows where it was written.
struct ParameterValue {
  using List = std::vector<ParameterValue>;
  using Map = std::vector<std::pair<std::string, ParameterValue>>;

  ParameterValue() = default;
  ParameterValue(double number) : value(number) {}
  ParameterValue(int number) : value(static_cast<double>(number)) {}
  ParameterValue(bool flag) : value(flag) {}
  ParameterValue(const char* text) : value(std::string(text)) {}
  ParameterValue(std::string text) : value(std::move(text)) {}
  ParameterValue(List list) : value(std::move(list)) {}
  ParameterValue(Map map) : value(std::move(map)) {}
  ParameterValue(const VectorXd& numbers);
  ParameterValue(const std::vector<std::string>& texts);

  std::variant<std::monostate, bool, double, std::string, List, Map> value;
  std::string where;  ///< "diagram.yaml:12"; empty when it comes from code

  bool given() const { return !std::holds_alternative<std::monostate>(value); }
};

/// Things that blocks of one diagram share and that are no numbers, such as the scene that it belongs to; one of each
/// type.
class Environment {
 public:
  template <class T>
  void set(std::shared_ptr<T> thing) {
    things_[typeid(T).name()] = std::move(thing);
  }
  /// Null when there is none.
  template <class T>
  std::shared_ptr<const T> find() const {
    const auto found = things_.find(typeid(T).name());
    return found == things_.end() ? nullptr : std::static_pointer_cast<const T>(found->second);
  }

 private:
  std::map<std::string, std::shared_ptr<const void>> things_;
};

/// What a block is made from. Each getter throws Error that names the block and the parameter when the value is
/// missing or of the wrong kind; getters with a fallback return that when nothing was given.
class Parameters {
 public:
  Parameters() = default;
  Parameters(std::initializer_list<std::pair<const std::string, ParameterValue>> values);

  void set(const std::string& name, ParameterValue value) { values_[name] = std::move(value); }
  bool has(const std::string& name) const;
  const ParameterValue& value(const std::string& name) const;
  std::vector<std::string> names() const;

  double number(const std::string& name, Quantity quantity = Quantity::plain) const;
  double number(const std::string& name, double fallback, Quantity quantity = Quantity::plain) const;
  int count(const std::string& name) const;  ///< a whole number, 0 or more
  int count(const std::string& name, int fallback) const;
  bool flag(const std::string& name, bool fallback) const;
  std::string text(const std::string& name) const;
  std::string text(const std::string& name, const std::string& fallback) const;
  std::string choice(const std::string& name, const std::vector<std::string>& choices) const;
  std::vector<std::string> texts(const std::string& name) const;  ///< a list, or a single text
  /// A list of numbers, or a single one; how many there are is known before what they measure.
  VectorXd vector(const std::string& name, Quantity quantity = Quantity::plain) const;
  VectorXd vector(const std::string& name, const VectorXd& fallback, Quantity quantity = Quantity::plain) const;
  Eigen::Index length(const std::string& name) const;
  MatrixXd matrix(const std::string& name) const;  ///< a list of rows; a single number is 1 × 1

  /// For errors that a block finds itself: names block and parameter.
  class Error error(const std::string& name, const std::string& what, const std::string& hint = {}) const;

  std::string block;  ///< path and type of the block that is made, for errors: "controller.gain (Gain)"
  std::string where;  ///< "diagram.yaml:12"
  std::shared_ptr<const Environment> environment;  ///< null: there is none

 private:
  std::map<std::string, ParameterValue> values_;
};

}  // namespace footfall

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "block_library/groups.hpp"
#include "block_library/shapes.hpp"
#include "footfall/base/condition.hpp"
#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"

namespace footfall {
namespace {

constexpr const char* kClock = "t";  ///< in conditions: how long the machine has been in its state

/// Discrete states: number of the state, time at which it was entered.
class StateMachine : public Block {
 public:
  explicit StateMachine(const Parameters& p) : inputs_(inputsOf(p)), states_(p.texts("states")) {
    checkNames(p);
    start_ = p.has("start") ? stateOf(p, "start", p.text("start")) : 0;
    readTransitions(p);
    if (p.has("values")) readValues(p);
  }

  static BlockDescription description() {
    return {
        "StateMachine",
        "logic",
        "is in one of several states, and goes to another when a condition holds",
        {{"states", "names", "", "", true},
         {"start", "the state at the start", "the first", "", false},
         {"inputs", "names of the numbers that conditions speak of", "none", "", false},
         {"transitions", "list of {from: state, to: state, when: condition}; `from` may be a list, or `any`", "", "",
          true},
         {"values", "numbers that depend on the state, as outputs: {gain: {stand: 10, swing: 3}}", "none", "", false}},
        {{"one per name", "scalars or flags, named by `inputs`"}},
        {{"state", "number of the state, from 0"},
         {"time", "since it was entered [s]"},
         {"one per state", "a flag with its name: true while it is in it"},
         {"one per value", "a number, as `values` says"}},
        "Conditions are formulas that are compared: `height > 0.1 and not contact or t > 0.4`, with `t` for the time "
        "in the "
        "state in seconds. Of several that hold, the first of the list is taken, one at an instant, and the new state "
        "is seen "
        "at the next instant: outputs depend on no input of the same one. `when: machine.swing` of a block or "
        "sub-diagram lets it run in one state only."};
  }

  void declare(BlockInterface& io) const override {
    for (const std::string& name : inputs_) io.input(name, SignalType::scalar());
    io.output("state", SignalType::scalar("-"), {});
    io.output("time", SignalType::scalar("s"), {});
    for (const std::string& name : states_) io.output(name, SignalType::boolean(), {});
    for (const auto& [name, values] : values_) io.output(name, SignalType::scalar(), {});
    io.discrete_states = 2;
  }
  void initialize(Evaluation& e) const override { e.discrete() = Eigen::Vector2d(start_, 0.0); }
  void outputs(Evaluation& e) const override {
    const int state = static_cast<int>(e.discrete()[0]);
    e.set(0, state);
    e.set(1, timeInState(e));
    int port = 2;
    for (int k = 0; k < static_cast<int>(states_.size()); ++k) e.set(port++, k == state ? 1.0 : 0.0);
    for (const auto& [name, values] : values_) e.set(port++, values[state]);
  }
  void update(Evaluation& e) const override {
    const int state = static_cast<int>(e.discrete()[0]);
    double numbers[kMostInputs + 1];
    for (std::size_t k = 0; k < inputs_.size(); ++k) numbers[k] = e.number(static_cast<int>(k));
    numbers[inputs_.size()] = timeInState(e);
    for (const Transition& transition : transitions_) {
      if (transition.from != state || !transition.condition.holds(numbers)) continue;
      e.discrete() = Eigen::Vector2d(transition.to, e.time());
      return;
    }
  }

 private:
  static constexpr std::size_t kMostInputs = 64;
  struct Transition {
    int from, to;
    Condition condition;
  };

  /// To a nanosecond, so that `t >= 0.2` holds at the instant at which 0.2 s have passed, whatever rounding did to both
  /// times.
  static double timeInState(Evaluation& e) { return std::round((e.time() - e.discrete()[1]) * 1e9) / 1e9; }

  static std::vector<std::string> inputsOf(const Parameters& p) {
    return p.has("inputs") ? p.texts("inputs") : std::vector<std::string>{};
  }

  void checkNames(const Parameters& p) const {
    if (states_.empty()) throw p.error("states", "is empty, expected at least one name");
    if (inputs_.size() > kMostInputs)
      throw p.error("inputs", fmt::format("has {} names, expected at most {}", inputs_.size(), kMostInputs));
    std::vector<std::string> taken = {"state", "time"};
    for (const std::string& name : states_) {
      if (name == "any") throw p.error("states", "has the name 'any', which means all states");
      if (std::count(taken.begin(), taken.end(), name) != 0)
        throw p.error("states", fmt::format("has the name '{}', which is taken", name));
      taken.push_back(name);
    }
    for (const std::string& name : inputs_)
      if (name == kClock || std::count(inputs_.begin(), inputs_.end(), name) > 1)
        throw p.error("inputs", fmt::format("has the name '{}', which is taken", name),
                      "`t` is the time since the state was entered");
  }

  int stateOf(const Parameters& p, const char* parameter, const std::string& name) const {
    const auto found = std::find(states_.begin(), states_.end(), name);
    if (found == states_.end())
      throw p.error(parameter, fmt::format("names a state '{}' that is not there", name), suggestOrList(name, states_));
    return static_cast<int>(found - states_.begin());
  }

  std::vector<int> statesOf(const Parameters& p, const ParameterValue& value) const {
    std::vector<int> found;
    const auto add = [&](const ParameterValue& item) {
      const auto* name = std::get_if<std::string>(&item.value);
      if (name == nullptr) throw p.error("transitions", "has a `from` or `to` that is no name");
      if (*name == "any")
        for (int k = 0; k < static_cast<int>(states_.size()); ++k) found.push_back(k);
      else
        found.push_back(stateOf(p, "transitions", *name));
    };
    if (const auto* list = std::get_if<ParameterValue::List>(&value.value))
      for (const ParameterValue& item : *list) add(item);
    else
      add(value);
    return found;
  }

  void readTransitions(const Parameters& p) {
    const auto* list = std::get_if<ParameterValue::List>(&p.value("transitions").value);
    if (list == nullptr)
      throw p.error("transitions", "is no list", "transitions: [{from: stand, to: swing, when: height > 0.1}]");
    for (const ParameterValue& item : *list) readTransition(p, item);
  }

  void readTransition(const Parameters& p, const ParameterValue& item) {
    const auto* map = std::get_if<ParameterValue::Map>(&item.value);
    if (map == nullptr) throw p.error("transitions", "has an entry that is not {from: …, to: …, when: …}");
    const ParameterValue *from = nullptr, *to = nullptr, *when = nullptr;
    for (const auto& [key, value] : *map) {
      if (key != "from" && key != "to" && key != "when")
        throw p.error("transitions", fmt::format("has an unknown key '{}'", key),
                      suggestOrList(key, {"from", "to", "when"}));
      (key == "from" ? from : key == "to" ? to : when) = &value;
    }
    const auto* condition = when == nullptr ? nullptr : std::get_if<std::string>(&when->value);
    if (from == nullptr || to == nullptr || condition == nullptr)
      throw p.error("transitions", "has an entry without `from`, `to` or `when`", "when: contact and t > 0.2");
    const std::vector<int> target = statesOf(p, *to);
    if (target.size() != 1) throw p.error("transitions", "has an entry that leads to several states");
    std::vector<std::string> names = inputs_;
    names.push_back(kClock);
    for (const int state : statesOf(p, *from))
      if (state != target[0]) transitions_.push_back({state, target[0], Condition(*condition, names, when->where)});
  }

  /// {gain: {stand: 10, swing: 3}}: every state has its number.
  void readValues(const Parameters& p) {
    const auto* outputs = std::get_if<ParameterValue::Map>(&p.value("values").value);
    if (outputs == nullptr) throw p.error("values", "is no map", "values: {gain: {stand: 10, swing: 3}}");
    for (const auto& [name, by_state] : *outputs) {
      const auto* map = std::get_if<ParameterValue::Map>(&by_state.value);
      if (map == nullptr) throw p.error("values", fmt::format("has no map for '{}'", name), "{stand: 10, swing: 3}");
      if (name == "state" || name == "time" || std::count(states_.begin(), states_.end(), name) != 0)
        throw p.error("values", fmt::format("has the name '{}', which is taken", name));
      std::vector<double> values(states_.size(), 0.0);
      std::vector<char> given(states_.size(), 0);
      for (const auto& [state, value] : *map) {
        const int k = stateOf(p, "values", state);
        const auto* number = std::get_if<double>(&value.value);
        if (number == nullptr) throw p.error("values", fmt::format("has no number for '{}' in '{}'", name, state));
        values[k] = *number;
        given[k] = 1;
      }
      for (std::size_t k = 0; k < states_.size(); ++k)
        if (!given[k])
          throw p.error("values", fmt::format("does not say what '{}' is in the state '{}'", name, states_[k]));
      values_.emplace_back(name, std::move(values));
    }
  }

  std::vector<std::string> inputs_, states_;
  int start_ = 0;
  std::vector<Transition> transitions_;
  std::vector<std::pair<std::string, std::vector<double>>> values_;
};

}  // namespace

void addStateMachine(BlockRegistry& registry) { registry.add<StateMachine>(); }

}  // namespace footfall

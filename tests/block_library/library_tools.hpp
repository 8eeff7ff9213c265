#pragma once

// Small diagrams of library blocks.

#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "footfall/block.hpp"
#include "footfall/block_library/library.hpp"

namespace footfall::test {

inline const BlockRegistry& library() {
  static const BlockRegistry registry = [] {
    BlockRegistry blocks;
    addLibraryBlocks(blocks);
    return blocks;
  }();
  return registry;
}

/// Numbers as a parameter: list({1, 2}).
inline ParameterValue list(const std::vector<double>& numbers) {
  return ParameterValue::List(numbers.begin(), numbers.end());
}
inline ParameterValue rows(const std::vector<std::vector<double>>& matrix) {
  ParameterValue::List all;
  for (const auto& row : matrix) all.push_back(list(row));
  return all;
}
inline ParameterValue texts(const std::vector<std::string>& names) { return ParameterValue(names); }

inline VectorXd vec(std::initializer_list<double> numbers) {
  return Eigen::Map<const VectorXd>(numbers.begin(), static_cast<Eigen::Index>(numbers.size()));
}

/// Blocks of the library under names, and lines between them.
class Rig {
 public:
  Rig& add(const std::string& name, const std::string& kind, Parameters parameters = {}) {
    builder_.add(name, library(), kind, std::move(parameters));
    return *this;
  }
  Rig& connect(const std::string& source, const std::string& input) {
    builder_.connect(source, input);
    return *this;
  }
  Diagram build(double step = 1e-3) const { return builder_.build({.step = step}); }

 private:
  DiagramBuilder builder_;
};

/// The output of a block without memory for constant inputs.
inline VectorXd valueOf(const std::string& kind, const Parameters& parameters,
                        const std::vector<std::pair<std::string, ParameterValue>>& inputs,
                        const std::string& output = "out") {
  Rig rig;
  rig.add("block", kind, parameters);
  for (const auto& [port, value] : inputs) {
    rig.add("from_" + port, "Constant", {{"value", value}});
    rig.connect("from_" + port, "block." + port);
  }
  const Diagram diagram = rig.build();
  Context context = diagram.makeContext();
  diagram.evaluate(context);
  return context.signal("block." + output);
}

inline double numberOf(const std::string& kind, const Parameters& parameters,
                       const std::vector<std::pair<std::string, ParameterValue>>& inputs) {
  return valueOf(kind, parameters, inputs)[0];
}

/// The first number of a signal at each of some steps.
inline std::vector<double> record(const Diagram& diagram, const std::string& signal, int steps) {
  Context context = diagram.makeContext();
  std::vector<double> values;
  for (int k = 0; k < steps; ++k) {
    diagram.step(context);
    values.push_back(context.signal(signal)[0]);
  }
  return values;
}

inline std::string bitsOf(const Context& context) {
  std::stringstream out;
  context.save(out);
  return out.str();
}

/// The error that an action ends with, as a whole text; empty when there is none.
template <class Action>
std::string messageOf(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace footfall::test

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "footfall/block/parameters.hpp"
#include "footfall/diagram_file/scene_diagram.hpp"

namespace footfall {

/// What `$name` stands for in a part of a diagram file. Copies count together how much they make of the file, and throw
/// Error when it is too much: names of names of names can stand for more than any memory holds.
class Bindings {
 public:
  void set(const std::string& name, ParameterValue value);

  /// The text with `$name`, `${name}` and `$(name)` replaced; `$$` is a dollar. `$(leg.gain)` is an entry of a map.
  /// `where` is the place of the text, for errors.
  std::string fill(const std::string& text, const std::string& where) const;

  /// The value that was written: true, 3.5, a text, a list, a map. A text that is nothing but `$name` is the value
  /// itself, which may be a list.
  ParameterValue evaluate(const SceneTree& tree) const;

  /// Calls `visit` for each combination of the values of `for`, with the variables bound. Each variable `foot` comes
  /// with `foot_index`, which counts from 0, and `foot_number`, which counts from 1.
  void forEach(const SceneRepeats& repeats, const std::function<void(const Bindings&)>& visit) const;

  /// Counts one sub-diagram more.
  void countPart(const std::string& where) const;

 private:
  const ParameterValue& find(const std::string& name, const std::string& where) const;
  void forEachFrom(std::size_t repeat, const SceneRepeats& repeats,
                   const std::function<void(const Bindings&)>& visit) const;

  void count(std::size_t made, const std::string& where) const;

  std::vector<std::pair<std::string, ParameterValue>> values_;
  std::shared_ptr<std::size_t> made_ = std::make_shared<std::size_t>(0);  ///< letters, values and repeated parts
};

}  // namespace footfall

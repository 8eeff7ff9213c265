#pragma once

#include <mex.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "footfall/base/error.hpp"
#include "footfall/scene/scene.hpp"
#include "mex_values.hpp"

namespace footfall::matlab {

/// The arguments of footfall_mex behind the name of the command.
struct Call {
  int inputs;
  const mxArray** input;

  const mxArray* argument(int i) const { return i < inputs ? input[i] : nullptr; }
};

/// Returns what the call gives back; null: nothing.
using Action = mxArray* (*)(const Call&);
using Actions = std::map<std::string, Action>;

Actions robotActions();
Actions diagramActions();
Actions logActions();

/// What the numbers that MATLAB keeps stand for. They stay unique for the life of the process: a handle that was closed
/// is never mistaken for a new one.
template <class T>
class Handles {
 public:
  explicit Handles(const char* type) : type_(type) {}

  mxArray* add(std::unique_ptr<T> object) {
    objects_[++last_] = std::move(object);
    return fromNumber(last_);
  }
  T& get(const mxArray* handle) {
    const auto found = objects_.find(toNumber(handle, "handle"));
    if (found == objects_.end()) throw Error(type_, "this one was closed", "make a new one");
    return *found->second;
  }
  void close(const mxArray* handle) { objects_.erase(toNumber(handle, "handle")); }

 private:
  const char* type_;
  std::map<double, std::unique_ptr<T>> objects_;
  double last_ = 0.0;
};

/// Names and values in turn: {'physics.step', '0.5 ms', 'ground.friction', 0.3}.
std::vector<SceneOverride> toOverrides(const mxArray* cell);

}  // namespace footfall::matlab

#include "footfall/block/block.hpp"

#include <algorithm>
#include <numeric>

namespace footfall {
namespace {

std::vector<int> allInputs(const BlockInterface& interface) {
  std::vector<int> all(interface.inputs.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// The group of the outputs that have these dependencies, or the next free number.
int groupOf(const BlockInterface& interface, const std::vector<int>& depends_on) {
  int next = 0;
  for (const BlockInterface::Output& output : interface.outputs) {
    if (output.depends_on == depends_on) return output.group;
    next = std::max(next, output.group + 1);
  }
  return next;
}

}  // namespace

int BlockInterface::input(std::string name, SignalType type) {
  inputs.push_back({std::move(name), std::move(type), false});
  return static_cast<int>(inputs.size()) - 1;
}

int BlockInterface::optionalInput(std::string name, SignalType type) {
  const int port = input(std::move(name), std::move(type));
  inputs[port].optional = true;
  return port;
}

int BlockInterface::output(std::string name, SignalType type) {
  return output(std::move(name), std::move(type), allInputs(*this));
}

int BlockInterface::output(std::string name, SignalType type, std::vector<int> depends_on) {
  std::sort(depends_on.begin(), depends_on.end());
  const int group = groupOf(*this, depends_on);
  outputs.push_back({std::move(name), std::move(type), std::move(depends_on), -1, group});
  return static_cast<int>(outputs.size()) - 1;
}

int BlockInterface::outputLike(std::string name, int input) {
  const int port = output(std::move(name), SignalType::any());
  outputs[port].like_input = input;
  return port;
}

void Evaluation::stop(std::string reason) {
  if (stop_reason_->empty()) *stop_reason_ = std::move(reason);
}

}  // namespace footfall

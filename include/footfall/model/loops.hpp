#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "footfall/model/model.hpp"

namespace footfall {

// Lists of loops: those of a model, and the ties of a state.

/// In their order.
std::vector<std::string> namesOf(const std::vector<Loop>& loops);

/// The loop of this name, or the end of the list.
std::vector<Loop>::const_iterator findLoop(const std::vector<Loop>& loops, std::string_view name);

inline bool isNamed(std::string_view name, const std::vector<Loop>& loops) {
  return findLoop(loops, name) != loops.end();
}

}  // namespace footfall

#pragma once

#include <vector>

#include "footfall/base/error.hpp"

namespace footfall {

/// Does something. What goes wrong is noted where there is a list for it, and thrown where there is none.
template <class Action>
void attempt(std::vector<Error>* problems, Action action) {
  if (problems == nullptr) return action();
  try {
    action();
  } catch (const Error& problem) {
    problems->push_back(problem);
  }
}

}  // namespace footfall

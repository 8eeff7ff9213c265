#pragma once

#include <string>

#include "footfall/base/error.hpp"

namespace footfall {

/// Runs a look-up by name; its error then names the place in the scene that asked for it.
template <class Find>
auto atPlace(const std::string& where, Find find) {
  try {
    return find();
  } catch (const Error& e) {
    throw Error(where, e.problem(), e.hint());
  }
}

}  // namespace footfall

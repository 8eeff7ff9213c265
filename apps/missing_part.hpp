#pragma once

#include <string>

#include "footfall/base/error.hpp"

namespace footfall::command {

/// For the verbs of a part that this build was made without.
[[noreturn]] inline void missingPart(const std::string& part, const std::string& needs) {
  throw Error("", "no " + part + " in this build: it was made without " + needs,
              "`pip install footfall` has all parts; in a build of your own, CMake says what it did not find");
}

[[noreturn]] inline void missingStudio() { missingPart("studio", "Boost's headers or nlohmann_json"); }

}  // namespace footfall::command

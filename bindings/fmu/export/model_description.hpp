#pragma once

#include <string>
#include <vector>

#include "runtime/session.hpp"

namespace footfall::fmu {

/// What a model description says apart from the variables.
struct ModelInfo {
  std::string name;
  std::string description;
  std::string token;     ///< ties it to the resources
  double step = 1e-3;    ///< [s]
  double duration = 10;  ///< [s]
};

/// Name of the library in the FMU.
inline constexpr const char* kModelIdentifier = "footfall";

std::string modelDescription2(const ModelInfo& info, const std::vector<Variable>& variables);
std::string modelDescription3(const ModelInfo& info, const std::vector<Variable>& variables);

}  // namespace footfall::fmu

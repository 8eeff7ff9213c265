#pragma once

#include <string>
#include <vector>

#include "footfall/model_io/scene.hpp"

namespace footfall::command {

/// "physics.solver=osqp" as path and value; throws Error.
std::vector<SceneOverride> parseOverrides(const std::vector<std::string>& texts);

}  // namespace footfall::command

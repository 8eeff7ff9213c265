#pragma once

#include <string>
#include <vector>

#include "footfall/scene/scene.hpp"
#include "verbs.hpp"

namespace footfall::command {

/// "physics.solver=osqp" as path and value; throws Error.
std::vector<SceneOverride> parseOverrides(const std::vector<std::string>& texts);

/// All that the command line changes in the scene of a run.
std::vector<SceneOverride> overridesOf(const RunOptions& options);

}  // namespace footfall::command

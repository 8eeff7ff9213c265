#pragma once

#include <string>
#include <utility>

namespace footfall {

/// A change from the command line: `physics.solver` and `osqp`.
using SceneOverride = std::pair<std::string, std::string>;

}  // namespace footfall

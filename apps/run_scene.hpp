#pragma once

#include <fstream>
#include <string>

#include "footfall/scene/scene.hpp"
#include "verbs.hpp"

namespace footfall {
class RobotRun;
}

namespace footfall::command {

/// Runs a scene that has no diagram of its own, with log and summary; returns an ExitCode.
int runScene(const Scene& scene, const RunOptions& options);

/// Takes robot and sensors to a state that was saved; throws Error.
void startFrom(const std::string& path, RobotRun& robot);

/// Throws Error.
std::ifstream openState(const std::string& path);

}  // namespace footfall::command

#pragma once

#include <fstream>
#include <functional>
#include <string>

#include "footfall/run/robot_run.hpp"

namespace footfall {

// The files of `footfall run --save-state` and `--state`: the state of a robot, and beside it (.sensors) what its
// sensors remember, where it has some.

/// Throws LogError when they cannot be written.
void saveStateFiles(const RobotRun& robot, const std::string& path);

/// Throws Error when they cannot be read, or belong to another robot; then the robot stays as it was.
void loadStateFiles(const std::string& path, RobotRun& robot);

/// One such file, for states of other kinds. Throws Error.
std::ifstream openStateFile(const std::string& path);

/// Writes one by write(stream); throws LogError.
void writeStateFile(const std::string& path, const std::function<void(std::ostream&)>& write);

}  // namespace footfall

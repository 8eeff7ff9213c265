#include "footfall/record/state_files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "footfall/log/log.hpp"

namespace footfall {
namespace {

std::string sensorPath(const std::string& path) { return path + ".sensors"; }

}  // namespace

std::ifstream openStateFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(path, fmt::format("the state cannot be read: {}", std::strerror(errno)));
  return file;
}

void writeStateFile(const std::string& path, const std::function<void(std::ostream&)>& write) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  write(file);
  file.close();
  if (!file) throw LogError(path, fmt::format("the state cannot be written: {}", std::strerror(errno)));
}

void saveStateFiles(const RobotRun& robot, const std::string& path) {
  writeStateFile(path, [&](std::ostream& out) { saveState(robot.state(), out); });
  if (robot.scene().sensors.empty()) return;
  writeStateFile(sensorPath(path), [&](std::ostream& out) { saveSensorState(robot.sensorState(), out); });
}

void loadStateFiles(const std::string& path, RobotRun& robot) {
  std::ifstream file = openStateFile(path);
  const State state = loadState(robot.model(), file, path);
  if (!robot.scene().sensors.empty()) {
    std::ifstream sensor_file = openStateFile(sensorPath(path));
    robot.setSensorState(loadSensorState(robot.sensors(), sensor_file, sensorPath(path)));
  }
  robot.setState(state);
}

}  // namespace footfall

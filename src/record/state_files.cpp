#include "footfall/record/state_files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "footfall/log/log.hpp"

namespace footfall {
namespace {

std::string sensorPath(const std::string& path) { return path + ".sensors"; }

}  // namespace

std::ifstream openStateFile(const std::string& path) {
  std::error_code ignored;  // a folder can be opened, and then looks like a file that is empty
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path, ignored))
    throw Error(path, fmt::format("the state cannot be read: {}", std::strerror(file ? EISDIR : errno)));
  return file;
}

void writeStateFile(const std::string& path, const std::function<void(std::ostream&)>& write) {
  // Beside the state of before, which a full disk or a kill in the middle of this one must not take away; but where the
  // folder lets nobody make files, into the one that is there.
  const std::string unfinished = path + ".unfinished";
  std::error_code ignored;
  std::ofstream file;
  bool beside = std::filesystem::symlink_status(path, ignored).type() == std::filesystem::file_type::regular;
  if (beside) file.open(unfinished, std::ios::binary);
  beside = file.is_open();
  errno = 0;
  if (!beside) file.open(path, std::ios::binary);
  write(file);
  file.close();
  if (file && (!beside || std::rename(unfinished.c_str(), path.c_str()) == 0)) return;
  const int error_number = errno;
  if (beside) std::filesystem::remove(unfinished, ignored);
  throw LogError(path, fmt::format("the state cannot be written: {}{}", std::strerror(error_number),
                                   beside ? "; the one that was there is as it was" : ""));
}

void saveStateFiles(const RobotRun& robot, const std::string& path) {
  writeStateFile(path, [&](std::ostream& out) { saveState(robot.state(), robot.model(), out); });
  if (robot.scene().sensors.empty()) return;
  writeStateFile(sensorPath(path), [&](std::ostream& out) { saveSensorState(robot.sensorState(), out); });
}

void loadStateFiles(const std::string& path, RobotRun& robot) {
  std::ifstream file = openStateFile(path);
  const State state = loadState(robot.model(), file, path);
  if (robot.scene().sensors.empty()) return robot.setState(state);
  std::ifstream sensor_file = openStateFile(sensorPath(path));
  const SensorState sensors = loadSensorState(robot.sensors(), sensor_file, sensorPath(path));
  robot.setState(state);
  robot.setSensorState(sensors);
}

}  // namespace footfall

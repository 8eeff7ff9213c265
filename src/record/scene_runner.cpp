#include <fmt/format.h>

#include <charconv>
#include <sstream>
#include <utility>

#include "footfall/base/error.hpp"
#include "footfall/record/runner.hpp"
#include "footfall/record/state_files.hpp"

namespace footfall {
namespace {

class SceneRows : public RunRows {
 public:
  SceneRows(std::unique_ptr<Log> log, RobotRun& robot, const RecordOptions& options)
      : robot_(robot), log_(std::move(log)), recorder_(*log_, robot, options) {}
  void beforeStep() override { recorder_.beforeStep(robot_); }
  void afterStep() override {
    if (robot_.result().status != SolveStatus::failed) recorder_.afterStep(robot_);
  }
  void finish() override { recorder_.finish(robot_); }
  std::unique_ptr<Log> takeLog() override { return std::move(log_); }

 private:
  RobotRun& robot_;
  std::unique_ptr<Log> log_;
  RunRecorder recorder_;
};

constexpr std::size_t kHeader = 16;  // hexadecimal digits: how long the robot's part is

}  // namespace

std::string SceneRunner::save() const {
  std::ostringstream state, sensors;
  saveState(robot_.state(), robot_.model(), state);
  saveSensorState(robot_.sensorState(), sensors);
  return fmt::format("{:0{}x}{}{}", state.str().size(), kHeader, state.str(), sensors.str());
}

void SceneRunner::restore(const std::string& bytes, const std::string& where) {
  const char* const header_end = bytes.data() + kHeader;
  std::size_t size = 0;
  if (bytes.size() < kHeader || std::from_chars(bytes.data(), header_end, size, 16).ptr != header_end)
    throw Error(where, "these bytes are no state of a robot", "restore what was saved by the same scene");
  if (size > bytes.size() - kHeader) throw Error(where, "it ends too early");
  std::istringstream state_bytes(bytes.substr(kHeader, size)), sensor_bytes(bytes.substr(kHeader + size));
  const State state = loadState(robot_.model(), state_bytes, where);
  const SensorState sensors = loadSensorState(robot_.sensors(), sensor_bytes, where);
  robot_.setState(state);
  robot_.setSensorState(sensors);
}

void SceneRunner::saveFiles(const std::string& path) const { saveStateFiles(robot_, path); }

void SceneRunner::restoreFiles(const std::string& path) { loadStateFiles(path, robot_); }

std::unique_ptr<RunRows> SceneRunner::makeRows(std::unique_ptr<Log> log, const RecordOptions& options) {
  return std::make_unique<SceneRows>(std::move(log), robot_, options);
}

}  // namespace footfall

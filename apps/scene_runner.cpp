#include "scene_runner.hpp"

#include "terminal.hpp"

namespace footfall::command {
namespace {

/// What sensors remember lies beside the state of the robot.
std::string sensorStatePath(const std::string& state_path) { return state_path + ".sensors"; }

class SceneRows : public RunRows {
 public:
  SceneRows(std::unique_ptr<Log> log, RobotRun& robot, const RecordOptions& options)
      : robot_(robot), log_(std::move(log)), recorder_(*log_, robot, options) {}
  void beforeStep() override { recorder_.beforeStep(robot_); }
  void afterStep() override {
    if (robot_.result().status != SolveStatus::failed) recorder_.afterStep(robot_);
  }
  void finish() override { recorder_.finish(robot_); }
  const Log& log() const override { return *log_; }

 private:
  RobotRun& robot_;
  std::unique_ptr<Log> log_;
  RunRecorder recorder_;
};

}  // namespace

bool SceneRunner::step(Profile* profile) {
  if (profile != nullptr) profile->beginStep();
  const StepResult& result = robot_.step();
  if (profile != nullptr) profile->endStep();
  return result.status != SolveStatus::failed;
}

void SceneRunner::save(const std::string& path) const {
  writeState(path, [&](std::ostream& out) { saveState(robot_.state(), out); });
  if (robot_.scene().sensors.empty()) return;
  writeState(sensorStatePath(path), [&](std::ostream& out) { saveSensorState(robot_.sensorState(), out); });
}

std::unique_ptr<RunRows> SceneRunner::makeRows(std::unique_ptr<Log> log, const RecordOptions& options) {
  return std::make_unique<SceneRows>(std::move(log), robot_, options);
}

void startFrom(const std::string& path, RobotRun& robot) {
  std::ifstream file = openState(path);
  robot.setState(loadState(robot.model(), file, path));
  if (robot.scene().sensors.empty()) return;
  std::ifstream sensor_file = openState(sensorStatePath(path));
  robot.setSensorState(loadSensorState(robot.sensors(), sensor_file, sensorStatePath(path)));
}

int runScene(const Scene& scene, const RunOptions& options) {
  SceneRunner runner(scene);
  if (!options.quiet)
    for (const std::string& warning : runner.simulation().simulation().warnings()) printWarning(warning);
  if (!options.state.empty()) startFrom(options.state, runner.simulation());
  return runLoop(runner, options);
}

}  // namespace footfall::command

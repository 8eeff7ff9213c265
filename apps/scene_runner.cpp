#include "scene_runner.hpp"

#include "footfall/record/state_files.hpp"
#include "terminal.hpp"

namespace footfall::command {
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

void SceneRunner::save(const std::string& path) const { saveStateFiles(robot_, path); }

std::unique_ptr<RunRows> SceneRunner::makeRows(std::unique_ptr<Log> log, const RecordOptions& options) {
  return std::make_unique<SceneRows>(std::move(log), robot_, options);
}

int runScene(const Scene& scene, const RunOptions& options, RunGuest* guest) {
  SceneRunner runner(scene);
  if (!options.quiet)
    for (const std::string& warning : runner.simulation().simulation().warnings()) printWarning(warning);
  if (!options.state.empty()) loadStateFiles(options.state, runner.simulation());
  return runLoop(runner, options, guest);
}

}  // namespace footfall::command

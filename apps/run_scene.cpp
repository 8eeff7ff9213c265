#include "run_scene.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <optional>

#include "footfall/record/run_recorder.hpp"
#include "footfall/run/instrumented_simulation.hpp"
#include "interrupt.hpp"
#include "profile.hpp"
#include "progress.hpp"
#include "run_log.hpp"
#include "run_summary.hpp"
#include "terminal.hpp"

namespace footfall::command {
namespace {

/// What sensors remember lies beside the state of the robot.
std::string sensorStatePath(const std::string& state_path) { return state_path + ".sensors"; }

template <class Write>
void writeState(const std::string& path, Write write) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  write(file);
  file.close();
  if (!file) throw LogError(path, fmt::format("the state cannot be written: {}", std::strerror(errno)));
}

void save(const InstrumentedSimulation& robot, const std::string& path) {
  writeState(path, [&](std::ostream& out) { saveState(robot.simulation().state(), out); });
  if (robot.simulation().scene().sensors.empty()) return;
  writeState(sensorStatePath(path), [&](std::ostream& out) { saveSensorState(robot.sensorState(), out); });
}

/// Steps left until the end of the scene: counted, so that rounding of the clock neither adds nor drops one.
long long stepsToGo(const Simulation& simulation) {
  const double left = simulation.scene().run.duration - simulation.time();
  return std::max(0LL, static_cast<long long>(std::ceil(left / simulation.settings().step - 1e-6)));
}

/// Keeps the evidence of a failed solve, and says where it is.
void reportFailure(const InstrumentedSimulation& robot, bool logged) {
  const Simulation& simulation = robot.simulation();
  const std::string path = std::filesystem::path(simulation.scene().source).stem().string() + ".fail.state";
  std::string kept;
  try {
    save(robot, path);
    kept = "state saved to " + path;
  } catch (const LogError& error) {
    kept = std::string("the state could not be saved: ") + error.what();
  }
  if (logged) kept += ", log complete up to t";
  printError(
      fmt::format("{}\n  {} contacts; {}", simulation.describeFailure(), simulation.result().contacts.size(), kept));
}

/// A run from its first step to its report.
class Run {
 public:
  Run(InstrumentedSimulation& robot, const RunOptions& options)
      : robot_(robot),
        simulation_(robot.simulation()),
        options_(options),
        summary_(simulation_),
        progress_(simulation_.time(), simulation_.scene().run.duration, options.quiet) {
    if (options.profile) simulation_.setProfile(profile_.stages());
    const std::string& path = simulation_.scene().run.log;
    if (path.empty()) return;
    log_ = makeRunLog(path, options);
    recorder_.emplace(*log_, robot, recordOptions(options));
  }

  ExitCode go() {
    ExitCode outcome = kSuccess;
    for (long long left = stepsToGo(simulation_); left > 0 && outcome == kSuccess; --left) {
      outcome = interrupted() ? kInterrupted : stepOnce();
    }
    finishLog(outcome);
    wall_seconds_ = progress_.finish(simulation_.time(), activeContacts());
    report(outcome);
    return outcome;
  }

 private:
  ExitCode stepOnce() {
    if (recorder_) recorder_->beforeStep(robot_);
    if (options_.profile) profile_.beginStep();
    const StepResult& result = robot_.step();
    if (options_.profile) profile_.endStep();
    if (result.status == SolveStatus::failed) return kRunFailed;
    if (recorder_) recorder_->afterStep(robot_);
    summary_.count(result);
    progress_.update(simulation_.time(), activeContacts());
    return kSuccess;
  }

  /// A log that cannot be finished must not hide why the run failed.
  void finishLog(ExitCode outcome) {
    if (!recorder_) return;
    try {
      recorder_->finish(robot_);
    } catch (const LogError& error) {
      if (outcome != kRunFailed) throw;
      printError(error);
      recorder_.reset();
    }
  }

  int activeContacts() const { return static_cast<int>(simulation_.result().contacts.size()); }

  void report(ExitCode outcome) {
    if (outcome == kRunFailed) reportFailure(robot_, recorder_.has_value());
    if (!options_.save_state.empty()) save(robot_, options_.save_state);
    if (!options_.profile_trace.empty()) profile_.writeTrace(options_.profile_trace);
    if (options_.quiet) return;
    fmt::print("{}", summary_.text(simulation_, wall_seconds_));
    if (recorder_ && options_.keeps_log) printLog(*log_, simulation_.scene().run.log, wall_seconds_);
    if (outcome == kInterrupted) fmt::print("  interrupted\n");
    if (options_.profile) printProfile(profile_, options_.profile_trace, wall_seconds_);
  }

  InstrumentedSimulation& robot_;
  Simulation& simulation_;  ///< of the robot
  const RunOptions& options_;
  RunSummary summary_;
  std::unique_ptr<Log> log_;
  std::optional<RunRecorder> recorder_;  ///< of the log
  Progress progress_;
  Profile profile_;
  double wall_seconds_ = 0.0;
};

}  // namespace

std::ifstream openState(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(path, fmt::format("the state cannot be read: {}", std::strerror(errno)));
  return file;
}

void startFrom(const std::string& path, RobotRun& robot) {
  std::ifstream file = openState(path);
  robot.setState(loadState(robot.model(), file, path));
  if (robot.scene().sensors.empty()) return;
  std::ifstream sensor_file = openState(sensorStatePath(path));
  robot.setSensorState(loadSensorState(robot.sensors(), sensor_file, sensorStatePath(path)));
}

int runScene(const Scene& scene, const RunOptions& options) {
  InstrumentedSimulation robot(scene);
  if (!options.quiet)
    for (const std::string& warning : robot.simulation().warnings()) printWarning(warning);
  if (!options.state.empty()) startFrom(options.state, robot);
  endRunOnInterrupt();
  return Run(robot, options).go();
}

}  // namespace footfall::command

#include "case_run.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "footfall/base/error.hpp"
#include "footfall/base/internal/steps_within.hpp"
#include "footfall/base/suggest.hpp"
#include "footfall/diagram/diagram_log.hpp"
#include "footfall/diagram/diagram_source.hpp"
#include "footfall/record/internal/channel_names.hpp"
#include "footfall/record/run_recorder.hpp"
#include "footfall/robot_block/diagram_robot.hpp"
#include "footfall/run/instrumented_simulation.hpp"
#include "python_block.hpp"

namespace footfall::python {
namespace {

/// A log that keeps some of its columns in memory.
class ColumnLog : public Log {
 public:
  ColumnLog(std::vector<std::string> wanted, CaseTable& table) : wanted_(std::move(wanted)), table_(table) {}

  void flush() override {}
  void close() override {}

 protected:
  void writeHeader(const LogNotes&, const std::vector<Channel>& channels, const std::vector<Attachment>&) override {
    std::vector<std::string> names;
    for (Column& column : columnsOf(channels)) names.push_back(std::move(column.name));
    for (const std::string& name : wanted_) {
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end())
        throw Error("", "there is no column '" + name + "' in the log", suggestOrList(name, names));
      places_.push_back(static_cast<std::size_t>(found - names.begin()));
    }
  }

  void writeRow(const std::vector<double>& values) override {
    for (const std::size_t place : places_) table_.values.push_back(values[place]);
    ++table_.rows;
  }

 private:
  std::vector<std::string> wanted_;
  std::vector<std::size_t> places_;  ///< of the wanted columns
  CaseTable& table_;
};

bool needsBalance(const std::vector<std::string>& columns) {
  return std::any_of(columns.begin(), columns.end(), record::isOfBalance);
}

RecordOptions recordOptions(bool balance) { return {.meshes = false, .scene_rate = 0.0, .balance = balance}; }

/// A scene without diagram.
class RobotCase : public Case {
 public:
  RobotCase(const Scene& scene, std::unique_ptr<Log> log, bool balance)
      : robot_(scene), log_(std::move(log)), recorder_(*log_, robot_, recordOptions(balance)) {}

  const Log& log() const override { return *log_; }

  void run(std::string& failure) override {
    const Simulation& simulation = robot_.simulation();
    const double seconds = simulation.scene().run.duration - simulation.time();
    for (long long left = stepsWithin(seconds, simulation.settings().step); left > 0; --left) {
      recorder_.beforeStep(robot_);
      if (robot_.step().status == SolveStatus::failed) {
        failure = simulation.describeFailure();
        break;
      }
      recorder_.afterStep(robot_);
    }
    recorder_.finish(robot_);
  }

 private:
  InstrumentedSimulation robot_;
  std::unique_ptr<Log> log_;
  RunRecorder recorder_;
};

/// A diagram with or without a robot in it.
class DiagramCase : public Case {
 public:
  DiagramCase(DiagramSource source, std::unique_ptr<Log> log, bool balance)
      : source_(std::move(source)), context_(source_.diagram.makeContext()) {
    if (!robotOf(source_.diagram).empty()) robot_.emplace(source_.diagram, context_);
    log_.emplace(std::move(log), source_, context_, robot_ ? &*robot_ : nullptr, recordOptions(balance));
  }

  const Log& log() const override { return log_->log(); }

  void run(std::string& failure) override {
    bool goes_on = true;
    long long left = stepsWithin(source_.run.duration - context_.time(), source_.diagram.settings().step);
    for (; left > 0 && goes_on; --left) {
      log_->beforeStep();
      goes_on = source_.diagram.step(context_);
      log_->afterStep();
    }
    if (!goes_on) failure = "t = " + std::to_string(context_.time()) + " s: " + context_.stopReason();
    log_->finish();
  }

 private:
  DiagramSource source_;
  Context context_;
  std::optional<DiagramRobot> robot_;
  std::optional<DiagramLog> log_;
};

}  // namespace

CaseRunner::CaseRunner(std::string path) : path_(std::move(path)), is_scene_(isSceneFile(path_)) {}

void CaseRunner::check(const std::vector<SceneOverride>& changes) const {
  if (is_scene_) {
    loadScene(path_, changes);
  } else {
    loadDiagramFile(path_, changes);
  }
}

std::vector<Column> CaseRunner::columns(const std::vector<SceneOverride>& changes) {
  CaseTable table;
  return columnsOf(makeCase(changes, {}, table, true)->log().channels());
}

CaseTable CaseRunner::run(const std::vector<SceneOverride>& changes, const std::vector<std::string>& columns) {
  CaseTable table;
  const std::unique_ptr<Case> made = makeCase(changes, columns, table, needsBalance(columns));
  const nb::gil_scoped_release others_may_run;
  made->run(table.failure);
  return table;
}

std::unique_ptr<Case> CaseRunner::makeCase(const std::vector<SceneOverride>& changes,
                                           const std::vector<std::string>& columns, CaseTable& table, bool balance) {
  auto log = std::make_unique<ColumnLog>(columns, table);
  if (!is_scene_)
    return std::make_unique<DiagramCase>(diagramOfFile(loadDiagramFile(path_, changes), blocksAndPython()),
                                         std::move(log), balance);
  const LoadedRobots::Use use(robots_);
  Scene scene = loadScene(path_, changes);
  if (!scene.diagram.given()) return std::make_unique<RobotCase>(scene, std::move(log), balance);
  return std::make_unique<DiagramCase>(diagramOfScene(std::move(scene), blocksAndPython()), std::move(log), balance);
}

}  // namespace footfall::python

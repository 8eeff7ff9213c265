#include "case_run.hpp"

#include <algorithm>
#include <utility>

#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"
#include "footfall/block/finishing_scratch.hpp"
#include "footfall/diagram/diagram_runner.hpp"
#include "footfall/record/internal/channel_names.hpp"
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

/// Cases run at once, and a file has one writer: which of them fail would depend on the number of processes.
void refuseSharedFiles(Runner& runner, const std::vector<SceneOverride>& changes) {
  auto* diagram = dynamic_cast<DiagramRunner*>(&runner);
  if (diagram == nullptr) return;
  for (int i = 0; i < static_cast<int>(diagram->diagram().blocks().size()); ++i) {
    if (dynamic_cast<const FinishingScratch*>(diagram->context().scratch(i)) == nullptr) continue;
    const std::string& block = diagram->diagram().blocks()[static_cast<std::size_t>(i)].path;
    if (std::none_of(changes.begin(), changes.end(),
                     [&](const SceneOverride& change) { return change.first.ends_with("." + block + ".file"); }))
      throw Error(runner.source(),
                  "the block '" + block + "' writes a file, and all cases of a study would write the same",
                  "take it out, or give each case a `file` of its own");
  }
}

RecordOptions recordOptions(bool balance) { return {.meshes = false, .scene_rate = 0.0, .balance = balance}; }

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
  auto log = std::make_unique<ColumnLog>(std::vector<std::string>{}, table);
  const Log& begun = *log;
  const std::unique_ptr<Runner> runner = makeCase(changes);
  runner->startLog(std::move(log), recordOptions(true));
  return columnsOf(begun.channels());
}

CaseTable CaseRunner::run(const std::vector<SceneOverride>& changes, const std::vector<std::string>& columns) {
  CaseTable table;
  const std::unique_ptr<Runner> runner = makeCase(changes);
  runner->startLog(std::make_unique<ColumnLog>(columns, table), recordOptions(needsBalance(columns)));
  const nb::gil_scoped_release others_may_run;
  bool goes_on = true;
  for (long long left = runner->stepsLeft(); left > 0 && goes_on; --left) goes_on = runner->step();
  if (!goes_on) table.failure = runner->failure();
  runner->finishLog();
  runner->finish();
  return table;
}

std::unique_ptr<Runner> CaseRunner::makeCase(const std::vector<SceneOverride>& changes) {
  const LoadedRobots::Use use(robots_);
  std::unique_ptr<Runner> runner = makeRunner(path_, changes, blocksAndPython());
  refuseSharedFiles(*runner, changes);
  return runner;
}

}  // namespace footfall::python

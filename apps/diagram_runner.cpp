#include "diagram_runner.hpp"

#include <fmt/format.h>

#include <utility>

#include "footfall/diagram/diagram_log.hpp"
#include "footfall/record/state_files.hpp"
#include "footfall/robot_block/unused_keys.hpp"
#include "terminal.hpp"

namespace footfall::command {

namespace {

class DiagramRows : public RunRows {
 public:
  template <class... Arguments>
  explicit DiagramRows(Arguments&&... arguments) : log_(std::forward<Arguments>(arguments)...) {}
  void beforeStep() override { log_.beforeStep(); }
  void afterStep() override { log_.afterStep(); }
  void finish() override { log_.finish(); }
  const Log& log() const override { return log_.log(); }

 private:
  DiagramLog log_;
};

}  // namespace

DiagramRunner::DiagramRunner(const DiagramSource& source, const std::string& state)
    : source_(source), diagram_(source.diagram), context_(diagram_.makeContext()) {
  if (!robotOf(diagram_).empty()) robot_.emplace(diagram_, context_);
  if (state.empty()) return;
  std::ifstream file = openStateFile(state);
  context_.load(file, state);
}

void DiagramRunner::startProfile(Profile& profile) {
  std::vector<std::string> paths;
  for (const Diagram::BlockInfo& block : diagram_.blocks()) paths.push_back(block.path);
  profile.setBlocks(paths, robot_ ? diagram_.block(robotOf(diagram_)) : -1);
  if (robot_) robot_->setProfile(profile.stages());
}

bool DiagramRunner::step(Profile* profile) {
  const bool is_due = robot_ && robot_->due();
  const std::int64_t before = context_.ticks();
  const bool goes_on = diagram_.step(context_, profile);
  robot_moved_ = is_due && context_.ticks() != before;
  return goes_on;
}

std::string DiagramRunner::failure() const {
  return fmt::format("t = {:.6g} s: {}", context_.time(), context_.stopReason());
}

std::string DiagramRunner::title() const {
  return fmt::format("diagram of {} blocks, {} steps of {:.6g} ms\n", diagram_.blocks().size(), context_.ticks(),
                     1e3 * diagram_.settings().step);
}

void DiagramRunner::save(const std::string& path) const {
  writeStateFile(path, [&](std::ostream& out) { context_.save(out); });
}

std::unique_ptr<RunRows> DiagramRunner::makeRows(std::unique_ptr<Log> log, const RecordOptions& options) {
  return std::make_unique<DiagramRows>(std::move(log), source_, context_, robot_ ? &*robot_ : nullptr, options);
}

std::vector<std::string> DiagramRunner::warnings() const {
  if (!robot_) return {};
  std::vector<std::string> all = robot_->warnings();
  if (source_.scene)
    for (std::string& unused : unusedKeys(*source_.scene, diagram_)) all.push_back(std::move(unused));
  return all;
}

int runDiagram(const DiagramSource& source, const RunOptions& options, RunGuest* guest) {
  DiagramRunner runner(source, options.state);
  if (!options.quiet)
    for (const std::string& warning : runner.warnings()) printWarning(warning);
  return runLoop(runner, options, guest);
}

}  // namespace footfall::command

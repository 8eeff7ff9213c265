#include "footfall/diagram/diagram_runner.hpp"

#include <fmt/format.h>

#include <exception>
#include <sstream>
#include <utility>

#include "footfall/block/finishing_scratch.hpp"
#include "footfall/diagram/diagram_log.hpp"
#include "footfall/record/state_files.hpp"
#include "footfall/robot_block/unused_keys.hpp"

namespace footfall {
namespace {

class DiagramRows : public RunRows {
 public:
  template <class... Arguments>
  explicit DiagramRows(Arguments&&... arguments) : log_(std::forward<Arguments>(arguments)...) {}
  void beforeStep() override { log_.beforeStep(); }
  void afterStep() override { log_.afterStep(); }
  void finish() override { log_.finish(); }
  std::unique_ptr<Log> takeLog() override { return log_.takeLog(); }

 private:
  DiagramLog log_;
};

/// Told before the run, also where it keeps no log.
void checkLoggedSignals(const SceneDiagram& text, const Context& context) {
  for (std::size_t k = 0; k < text.log.size(); ++k) {
    try {
      context.signal(text.log[k]);
    } catch (const Error& e) {
      throw Error(k < text.log_places.size() ? text.log_places[k] : text.where, "log: " + e.problem(), e.hint());
    }
  }
}

}  // namespace

DiagramRunner::DiagramRunner(std::shared_ptr<const DiagramSource> source)
    : source_(std::move(source)), context_(source_->diagram.makeContext()) {
  checkLoggedSignals(source_->text, context_);
  if (!robotOf(source_->diagram).empty()) robot_.emplace(source_->diagram, context_);
}

DiagramRunner::DiagramRunner(DiagramSource source)
    : DiagramRunner(std::make_shared<const DiagramSource>(std::move(source))) {}

DiagramRunner::DiagramRunner(const DiagramRunner& other)
    : Runner(other), source_(other.source_), context_(other.context_), robot_moved_(other.robot_moved_) {
  if (other.robot_) robot_.emplace(source_->diagram, context_);
}

std::vector<std::string> DiagramRunner::blocks() const {
  std::vector<std::string> paths;
  for (const Diagram::BlockInfo& block : diagram().blocks()) paths.push_back(block.path);
  return paths;
}

int DiagramRunner::robotBlock() const { return robot_ ? requireRobot(diagram()) : -1; }

std::vector<std::string> DiagramRunner::warnings() const {
  if (!robot_) return {};
  std::vector<std::string> all = robot_->warnings();
  if (source_->scene)
    for (std::string& unused : unusedKeys(*source_->scene, source_->diagram)) all.push_back(std::move(unused));
  return all;
}

bool DiagramRunner::advance() {
  const bool is_due = robot_ && robot_->due();
  const std::int64_t before = context_.ticks();
  robot_moved_ = false;
  const bool goes_on = source_->diagram.step(context_, observer_);
  robot_moved_ = is_due && context_.ticks() != before;
  return goes_on;
}

std::string DiagramRunner::failure() const {
  return fmt::format("t = {:.6g} s: {}", context_.time(), context_.stopReason());
}

void DiagramRunner::setProfile(StepProfile* stages, DiagramObserver* blocks) {
  observer_ = blocks;
  if (robot_) robot_->setProfile(stages);
}

std::string DiagramRunner::save() const {
  std::ostringstream out;
  context_.save(out);
  return out.str();
}

void DiagramRunner::restore(const std::string& bytes, const std::string& where) {
  std::istringstream in(bytes);
  context_.load(in, where);
}

void DiagramRunner::saveFiles(const std::string& path) const {
  writeStateFile(path, [&](std::ostream& out) { context_.save(out); });
}

void DiagramRunner::restoreFiles(const std::string& path) {
  std::ifstream file = openStateFile(path);
  context_.load(file, path);
}

void DiagramRunner::flush() {
  for (int block = 0; block < static_cast<int>(diagram().blocks().size()); ++block)
    if (auto* scratch = dynamic_cast<FinishingScratch*>(context_.scratch(block))) scratch->flush();
}

void DiagramRunner::finish() {
  std::exception_ptr first;
  for (int block = 0; block < static_cast<int>(diagram().blocks().size()); ++block) {
    try {
      if (auto* scratch = dynamic_cast<FinishingScratch*>(context_.scratch(block))) scratch->finish();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

std::unique_ptr<RunRows> DiagramRunner::makeRows(std::unique_ptr<Log> log, const RecordOptions& options) {
  return std::make_unique<DiagramRows>(std::move(log), *source_, context_, diagramRobot(), options);
}

std::unique_ptr<Runner> makeRunner(Scene scene, const BlockRegistry& registry) {
  if (!scene.diagram.given()) return std::make_unique<SceneRunner>(scene);
  return std::make_unique<DiagramRunner>(diagramOfScene(std::move(scene), registry));
}

std::unique_ptr<Runner> makeRunner(const std::string& path, const std::vector<SceneOverride>& overrides,
                                   const BlockRegistry& registry) {
  if (isSceneFile(path)) return makeRunner(loadScene(path, overrides), registry);
  return std::make_unique<DiagramRunner>(diagramOfFile(loadDiagramFile(path, overrides), registry));
}

}  // namespace footfall

// What footfall.Diagram asks for.

#include <cmath>
#include <optional>
#include <sstream>

#include "footfall/block_library/sinks.hpp"
#include "footfall/diagram/all_blocks.hpp"
#include "footfall/diagram/diagram_log.hpp"
#include "mex_call.hpp"
#include "robot_state.hpp"

namespace footfall::matlab {
namespace {

/// What a handle stands for.
struct RunningDiagram {
  explicit RunningDiagram(DiagramSource of_file) : source(std::move(of_file)), context(diagram().makeContext()) {
    if (!footfall::robotOf(diagram()).empty()) robot.emplace(diagram(), context);
  }

  const Diagram& diagram() const { return source.diagram; }

  DiagramSource source;
  Context context;
  std::optional<DiagramRobot> robot;  ///< none: a diagram without one
  std::unique_ptr<DiagramLog> log;    ///< none: nothing is written down
};

Handles<RunningDiagram>& diagrams() {
  static Handles<RunningDiagram> all("footfall.Diagram");
  return all;
}

RunningDiagram& runOf(const Call& call) { return diagrams().get(call.argument(0)); }

mxArray* make(const Call& call) {
  const std::string path = toText(call.argument(0), "diagram");
  return diagrams().add(
      std::make_unique<RunningDiagram>(loadDiagramSource(path, toOverrides(call.argument(1)), allBlocks())));
}

void endLog(RunningDiagram& run) {
  if (run.log == nullptr) return;
  const std::unique_ptr<DiagramLog> log = std::move(run.log);
  log->finish();
}

mxArray* close(const Call& call) {
  endLog(runOf(call));
  diagrams().close(call.argument(0));
  return nullptr;
}

bool stepOnce(RunningDiagram& run) {
  if (run.log) run.log->beforeStep();
  const bool goes_on = run.diagram().step(run.context);
  if (run.log) run.log->afterStep();
  return goes_on;
}

/// {time, signal_time, stop_reason}
mxArray* progress(const RunningDiagram& run) {
  return StructBuilder()
      .add("time", fromNumber(run.context.time()))
      .add("signal_time", fromNumber(run.context.signalTime()))
      .add("stop_reason", fromText(run.context.stopReason()))
      .get();
}

mxArray* step(const Call& call) {
  stepOnce(runOf(call));
  return progress(runOf(call));
}

/// run(handle, time): until this simulated time, or until a block stops the run.
mxArray* run(const Call& call) {
  RunningDiagram& run = runOf(call);
  const double end = toNumber(call.argument(1), "time") - 0.5 * run.diagram().settings().step;
  while (run.context.time() < end && stepOnce(run)) continue;
  return progress(run);
}

/// signal(handle, path): a bus as a struct, a matrix as a matrix, everything else as a column.
mxArray* signal(const Call& call) {
  const RunningDiagram& run = runOf(call);
  const std::string path = toText(call.argument(1), "signal");
  const auto values = run.context.signal(path);
  return fromSignal(run.context.signalType(path), {values.data(), static_cast<std::size_t>(values.size())});
}

mxArray* setInput(const Call& call) {
  RunningDiagram& run = runOf(call);
  const std::string name = toText(call.argument(1), "input");
  for (const Diagram::Port& port : run.diagram().inputs())
    if (port.name == name) {
      run.context.setInput(name, toVector(call.argument(2), port.type.size(), name.c_str()));
      return nullptr;
    }
  run.context.setInput(name, 0.0);  // throws with the nearest names
  return nullptr;
}

/// {time, values}: what a Scope has seen, a row for each sample.
mxArray* scope(const Call& call) {
  RunningDiagram& run = runOf(call);
  const ScopeSamples& samples = scopeSamples(run.diagram(), run.context, toText(call.argument(1), "scope"));
  const auto count = static_cast<Eigen::Index>(samples.count());
  VectorXd times(count);
  MatrixXd values(count, count == 0 ? 0 : samples.values(0).size());
  for (Eigen::Index k = 0; k < count; ++k) {
    times[k] = samples.time(static_cast<std::size_t>(k));
    values.row(k) = samples.values(static_cast<std::size_t>(k)).transpose();
  }
  return StructBuilder().add("time", fromVector(times)).add("values", fromMatrix(values)).get();
}

std::vector<std::string> namesOf(const std::vector<Diagram::Port>& ports) {
  std::vector<std::string> names;
  for (const Diagram::Port& port : ports) names.push_back(port.name);
  return names;
}

mxArray* info(const Call& call) {
  const RunningDiagram& run = runOf(call);
  std::vector<std::string> blocks;
  for (const Diagram::BlockInfo& block : run.diagram().blocks()) blocks.push_back(block.path);
  return StructBuilder()
      .add("blocks", fromTexts(blocks))
      .add("inputs", fromTexts(namesOf(run.diagram().inputs())))
      .add("outputs", fromTexts(namesOf(run.diagram().outputs())))
      .add("signals", fromTexts(allSignals(run.diagram())))
      .add("step", fromNumber(run.diagram().settings().step))
      .add("duration", fromNumber(run.source.run.duration))
      .get();
}

DiagramRobot& robotIn(RunningDiagram& run) {
  if (!run.robot) throw Error("footfall.Diagram", "there is no robot in this diagram");
  return *run.robot;
}

/// The rows of a log follow each other in time: a diagram that is set elsewhere begins another log.
RunningDiagram& runToBeSet(const Call& call) {
  RunningDiagram& run = runOf(call);
  if (run.log) throw Error("footfall.Diagram", "a log is being written", "call stopLog() first");
  return run;
}

mxArray* state(const Call& call) { return stateStruct(robotIn(runOf(call))); }

mxArray* setState(const Call& call) {
  RunningDiagram& run = runToBeSet(call);
  setStateFrom(call.argument(1), robotIn(run));
  return progress(run);
}

mxArray* save(const Call& call) {
  std::ostringstream out;
  runOf(call).context.save(out);
  return fromBytes(out.str());
}

mxArray* restore(const Call& call) {
  RunningDiagram& run = runToBeSet(call);
  std::istringstream in(toBytes(call.argument(1), "what save() gave"));
  run.context.load(in, "what save() gave");
  return progress(run);
}

mxArray* startLog(const Call& call) {
  RunningDiagram& run = runOf(call);
  const std::string path = toText(call.argument(1), "log");
  endLog(run);
  run.log = std::make_unique<DiagramLog>(makeLog(path), run.source, run.context, run.robot ? &*run.robot : nullptr);
  return nullptr;
}

mxArray* stopLog(const Call& call) {
  endLog(runOf(call));
  return nullptr;
}

}  // namespace

Actions diagramActions() {
  return {{"diagram.new", make},          {"diagram.close", close},    {"diagram.step", step},
          {"diagram.run", run},           {"diagram.signal", signal},  {"diagram.setInput", setInput},
          {"diagram.scope", scope},       {"diagram.info", info},      {"diagram.state", state},
          {"diagram.setState", setState}, {"diagram.save", save},      {"diagram.restore", restore},
          {"diagram.startLog", startLog}, {"diagram.stopLog", stopLog}};
}

}  // namespace footfall::matlab

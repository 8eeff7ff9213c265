// What footfall.Diagram asks for.

#include "footfall/block_library/sinks.hpp"
#include "footfall/diagram/all_blocks.hpp"
#include "footfall/diagram/diagram_runner.hpp"
#include "footfall/diagram/signal_channels.hpp"
#include "mex_call.hpp"
#include "robot_state.hpp"

namespace footfall::matlab {
namespace {

Handles<DiagramRunner>& diagrams() {
  static Handles<DiagramRunner> all("footfall.Diagram");
  return all;
}

DiagramRunner& runOf(const Call& call) { return diagrams().get(call.argument(0)); }

mxArray* make(const Call& call) {
  const std::string path = toText(call.argument(0), "diagram");
  return diagrams().add(
      std::make_unique<DiagramRunner>(loadDiagramSource(path, toOverrides(call.argument(1)), allBlocks())));
}

/// Where a file cannot be completed, the diagram stays open, and a second close() has nothing left to fail at.
mxArray* close(const Call& call) {
  runOf(call).finishLog();
  runOf(call).finish();
  diagrams().close(call.argument(0));
  return nullptr;
}

/// {time, signal_time, stop_reason}
mxArray* progress(const DiagramRunner& run) {
  return StructBuilder()
      .add("time", fromNumber(run.context().time()))
      .add("signal_time", fromNumber(run.context().signalTime()))
      .add("stop_reason", fromText(run.context().stopReason()))
      .get();
}

mxArray* step(const Call& call) {
  runOf(call).step();
  return progress(runOf(call));
}

/// run(handle, time): until this simulated time, a block stops the run, or a slice of the clock's is over.
mxArray* run(const Call& call) {
  DiagramRunner& run = runOf(call);
  const double end = endOfRun(call.argument(1), run.time(), run.stepSize());
  bool goes_on = true;
  for (const RunSlice slice; goes_on && run.time() < end && !slice.over();) goes_on = run.step();
  if (!goes_on || !(run.time() < end)) run.flush();  // who asked for it looks at the files that blocks write
  return progress(run);
}

/// signal(handle, path): a bus as a struct, a matrix as a matrix, everything else as a column.
mxArray* signal(const Call& call) {
  const DiagramRunner& run = runOf(call);
  const std::string path = toText(call.argument(1), "signal");
  const auto values = run.context().signal(path);
  return fromSignal(run.context().signalType(path), {values.data(), static_cast<std::size_t>(values.size())});
}

mxArray* setInput(const Call& call) {
  DiagramRunner& run = runOf(call);
  const std::string name = toText(call.argument(1), "input");
  for (const Diagram::Port& port : run.diagram().inputs())
    if (port.name == name) {
      const SignalType& type = port.type;
      run.context().setInput(name, type.kind == SignalType::Kind::matrix
                                       ? toMatrix(call.argument(2), type.rows, type.columns, name.c_str())
                                       : toVector(call.argument(2), type.size(), name.c_str()));
      return nullptr;
    }
  run.context().setInput(name, 0.0);  // throws with the nearest names
  return nullptr;
}

/// {time, values}: what a Scope has seen, a row for each sample.
mxArray* scope(const Call& call) {
  DiagramRunner& run = runOf(call);
  const ScopeSamples& samples = scopeSamples(run.diagram(), run.context(), toText(call.argument(1), "scope"));
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
  const DiagramRunner& run = runOf(call);
  return StructBuilder()
      .add("blocks", fromTexts(run.blocks()))
      .add("inputs", fromTexts(namesOf(run.diagram().inputs())))
      .add("outputs", fromTexts(namesOf(run.diagram().outputs())))
      .add("signals", fromTexts(allSignals(run.diagram())))
      .add("step", fromNumber(run.stepSize()))
      .add("duration", fromNumber(run.plan().duration))
      .get();
}

DiagramRobot& robotIn(DiagramRunner& run) {
  if (run.diagramRobot() == nullptr) throw Error("footfall.Diagram", "there is no robot in this diagram");
  return *run.diagramRobot();
}

/// The rows of a log follow each other in time: a diagram that is set elsewhere begins another log.
DiagramRunner& runToBeSet(const Call& call) {
  DiagramRunner& run = runOf(call);
  if (run.hasLog()) throw Error("footfall.Diagram", "a log is being written", "call stopLog() first");
  return run;
}

mxArray* state(const Call& call) { return stateStruct(robotIn(runOf(call))); }

mxArray* setState(const Call& call) {
  DiagramRunner& run = runToBeSet(call);
  setStateFrom(call.argument(1), robotIn(run));
  return progress(run);
}

mxArray* save(const Call& call) { return fromBytes(runOf(call).save()); }

mxArray* restore(const Call& call) {
  DiagramRunner& run = runToBeSet(call);
  run.restore(toBytes(call.argument(1), "what save() gave"), "what save() gave");
  return progress(run);
}

mxArray* startLog(const Call& call) {
  DiagramRunner& run = runOf(call);
  const std::string path = toText(call.argument(1), "log");
  run.finishLog();  // also where the next one is the same file
  run.startLog(makeLog(path));
  return nullptr;
}

mxArray* stopLog(const Call& call) {
  runOf(call).finishLog();
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

#include "block/diagram_run.hpp"

#include <fmt/format.h>

#include <cmath>

#include "block/timed.hpp"
#include "footfall/base/cannot_write.hpp"

namespace footfall {
namespace {

using Phase = DiagramObserver::Phase;

}  // namespace

/// Says in which block and when something was wrong.
void DiagramRun::rethrow(const Error& error, int block) const {
  const Diagram::BlockInfo& info = diagram_.blocks[block];
  const std::string where = error.where().empty() ? info.where : error.where();
  const std::string problem =
      fmt::format("block '{}' ({}), t = {:g} s: {}", info.path, info.kind, c_.timeOf(c_.tick), error.problem());
  if (dynamic_cast<const CannotWrite*>(&error) != nullptr) throw CannotWrite(where, problem, error.hint());
  throw Error(where, problem, error.hint());
}

void DiagramRun::outputs(const Entry& entry, double time) {
  Evaluation& e = c_.evaluations[entry.block];
  e.time_ = time;
  e.group_ = entry.group;
  const Timed timed(observer_, entry.block, Phase::outputs);
  try {
    diagram_.blocks[entry.block].block->outputs(e);
  } catch (const Error& error) {
    rethrow(error, entry.block);
  }
}

/// Whether what has a condition runs at this instant.
void DiagramRun::decide(int number) {
  const Diagram::Parts::Gate& gate = diagram_.gates[number];
  const GateState state = c_.gateState(number);
  const bool now = c_.signals[gate.source] != 0.0;
  const bool first = std::isnan(state.previous), before = state.previous != 0.0;  // nothing rises at the first instant
  bool open = now;
  if (gate.kind == RunCondition::Kind::is_false) open = !now;
  if (gate.kind == RunCondition::Kind::rises) open = !first && now && !before;
  if (gate.kind == RunCondition::Kind::falls) open = !first && !now && before;
  if (gate.kind == RunCondition::Kind::changes) open = !first && now != before;
  open = open && runs(gate.parent);
  const bool ran = state.ran != 0.0;
  if (open && !ran && gate.restart)
    for (const int block : gate.members) c_.restart(block);
  if (!open && ran && gate.clear)
    for (const int block : gate.members) clearOutputs(block);
  c_.open[number] = open;
}

void DiagramRun::clearOutputs(int block) {
  if (diagram_.blocks[block].sample_time.kind == SampleTime::Kind::constant) return;  // it would stay so
  const int ports = static_cast<int>(diagram_.blocks[block].interface.outputs.size());
  for (int port = 0; port < ports; ++port) c_.evaluations[block].outVector(port).setZero();
}

void DiagramRun::rememberGates() {
  for (int number = 0; number < static_cast<int>(diagram_.gates.size()); ++number) {
    const GateState state = c_.gateState(number);
    state.ran = c_.open[number];
    state.previous = c_.signals[diagram_.gates[number].source] != 0.0;
  }
}

/// Runs an entry, or the whole loop that it begins; the place of the next one.
std::size_t DiagramRun::run(const std::vector<Entry>& entries, std::size_t place, double time) {
  const Entry& entry = entries[place];
  if (entry.loop < 0) {
    outputs(entry, time);
    return place + 1;
  }
  std::size_t end = place;
  while (end < entries.size() && entries[end].loop == entry.loop) ++end;
  solveLoop(entry.loop, {entries.data() + place, end - place}, time);
  return end;
}

void DiagramRun::evaluate() {
  if (c_.outputs_valid) return;
  for (std::size_t rate = 0; rate < c_.due.size(); ++rate) c_.due[rate] = diagram_.rates[rate].due(c_.tick);
  const double time = c_.timeOf(c_.tick);
  const std::vector<Entry>& entries = diagram_.entries;
  for (std::size_t i = 0; i < entries.size();) {
    if (entries[i].block < 0)
      decide(entries[i++].group);
    else if (c_.due[entries[i].rate] && runs(entries[i].gate))
      i = run(entries, i, time);
    else
      ++i;
  }
  c_.signal_tick = c_.tick;
  c_.outputs_valid = true;
}

/// Outputs of continuous blocks at an instant within a step.
void DiagramRun::minorOutputs(double time) {
  const std::vector<Entry>& entries = diagram_.minor_entries;
  for (std::size_t i = 0; i < entries.size();) i = runs(entries[i].gate) ? run(entries, i, time) : i + 1;
}

bool DiagramRun::step() {
  if (!c_.stop_reason.empty()) return false;
  evaluate();
  if (!c_.stop_reason.empty()) return false;
  jump(c_.timeOf(c_.tick));
  if (!diagram_.derivatives.empty()) integrate();
  updates();
  rememberGates();
  ++c_.tick;
  c_.outputs_valid = false;
  return c_.stop_reason.empty();
}

void DiagramRun::jump(double time) {
  bool jumped = false;
  for (const int block : diagram_.jumps) {
    if (!runs(diagram_.block_gates[block])) continue;
    c_.evaluations[block].time_ = time;
    jumped = diagram_.blocks[block].block->jump(c_.evaluations[block]) || jumped;
  }
  if (jumped) minorOutputs(time);
}

void DiagramRun::updates() {
  const double time = c_.timeOf(c_.tick);
  for (const Entry& entry : c_.updates) {
    if (!c_.due[entry.rate] || !runs(entry.gate)) continue;
    Evaluation& e = c_.evaluations[entry.block];
    e.time_ = time;
    const Timed timed(observer_, entry.block, Phase::update);
    try {
      diagram_.blocks[entry.block].block->update(e);
    } catch (const Error& error) {
      rethrow(error, entry.block);
    }
  }
}

}  // namespace footfall

#include "block/diagram_run.hpp"

#include <fmt/format.h>

#include "footfall/base/error.hpp"

namespace footfall {
namespace {

using Phase = DiagramObserver::Phase;

class Timed {
 public:
  Timed(DiagramObserver* observer, int block, Phase phase) : observer_(observer), block_(block), phase_(phase) {
    if (observer_ != nullptr) observer_->begin(block_, phase_);
  }
  ~Timed() {
    if (observer_ != nullptr) observer_->end(block_, phase_);
  }

 private:
  DiagramObserver* observer_;
  int block_;
  Phase phase_;
};

}  // namespace

/// Says in which block and when something was wrong.
void DiagramRun::rethrow(const Error& error, int block) const {
  const Diagram::BlockInfo& info = diagram_.blocks[block];
  throw Error(error.where().empty() ? info.where : error.where(),
              fmt::format("block '{}' ({}), t = {:g} s: {}", info.path, info.kind, c_.timeOf(c_.tick), error.problem()),
              error.hint());
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

void DiagramRun::evaluate() {
  if (c_.outputs_valid) return;
  for (std::size_t rate = 0; rate < c_.due.size(); ++rate) c_.due[rate] = diagram_.rates[rate].due(c_.tick);
  const double time = c_.timeOf(c_.tick);
  for (const Entry& entry : diagram_.entries)
    if (c_.due[entry.rate]) outputs(entry, time);
  c_.signal_tick = c_.tick;
  c_.outputs_valid = true;
}

bool DiagramRun::step() {
  if (!c_.stop_reason.empty()) return false;
  evaluate();
  if (!c_.stop_reason.empty()) return false;
  if (!diagram_.derivatives.empty()) integrate();
  updates();
  ++c_.tick;
  c_.outputs_valid = false;
  return c_.stop_reason.empty();
}

void DiagramRun::updates() {
  const double time = c_.timeOf(c_.tick);
  for (const Entry& entry : c_.updates) {
    if (!c_.due[entry.rate]) continue;
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

/// Continuous states from one instant to the next. Signals of continuous blocks are evaluated in between; those of the
/// start are put back, so that all signals that can be read belong to one instant.
void DiagramRun::integrate() {
  const double h = diagram_.settings.step, time = c_.timeOf(c_.tick);
  c_.start = c_.continuous;
  slopes();
  if (diagram_.settings.solver == "euler") {
    moveFromStart(c_.derivative, h);
    return;
  }
  c_.kept_signals = c_.signals;
  c_.slope = c_.derivative;
  stage(time + 0.5 * h, 0.5 * h, 2.0);
  stage(time + 0.5 * h, 0.5 * h, 2.0);
  stage(time + h, h, 1.0);
  moveFromStart(c_.slope, h / 6.0);
  c_.signals = c_.kept_signals;
}

void DiagramRun::slopes() {
  for (const int block : diagram_.derivatives) {
    const Timed timed(observer_, block, Phase::derivatives);
    diagram_.blocks[block].block->derivatives(c_.evaluations[block]);
  }
}

void DiagramRun::moveFromStart(const std::vector<double>& slope, double h) {
  for (std::size_t i = 0; i < slope.size(); ++i) c_.continuous[i] = c_.start[i] + h * slope[i];
}

/// One more evaluation of Runge and Kutta's: h from the start along the last slope.
void DiagramRun::stage(double time, double h, double weight) {
  moveFromStart(c_.derivative, h);
  for (const Entry& entry : diagram_.minor_entries) outputs(entry, time);
  slopes();
  for (std::size_t i = 0; i < c_.slope.size(); ++i) c_.slope[i] += weight * c_.derivative[i];
}

}  // namespace footfall

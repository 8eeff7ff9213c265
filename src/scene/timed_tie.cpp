#include "footfall/scene/timed_tie.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "footfall/base/error.hpp"
#include "footfall/model/loops.hpp"

namespace footfall {
namespace {

/// The instant is nearer to this end of a step than to any other.
bool isNow(double instant, double time, double dt) { return time - 0.5 * dt < instant && instant <= time + 0.5 * dt; }

bool isMade(const std::string& name, const State& state) { return isNamed(name, state.ties); }

void make(const TimedTie& timed, State& state, Workspace& workspace) {
  try {
    tie(timed.request, state, workspace);
  } catch (const Error& e) {
    throw Error(timed.where, fmt::format("at t = {:.6g} s: {}", state.time, e.problem()), e.hint());
  }
}

}  // namespace

void followTies(const std::vector<TimedTie>& ties, double dt, State& state, Workspace& workspace) {
  if (ties.empty()) return;
  for (const TimedTie& timed : ties)
    if (isNow(timed.until, state.time, dt) && isMade(timed.request.name, state)) release(timed.request.name, state);
  for (const TimedTie& timed : ties)
    if (isNow(timed.from, state.time, dt) && !isMade(timed.request.name, state)) make(timed, state, workspace);
  workspace.setTies(state.ties);
}

int commandedTies(const std::vector<TimedTie>& ties) {
  return static_cast<int>(std::count_if(ties.begin(), ties.end(), [](const TimedTie& t) { return t.commanded; }));
}

void commandTies(const std::vector<TimedTie>& ties, Eigen::Ref<const VectorXd> wanted, State& state,
                 Workspace& workspace) {
  int k = 0;
  for (const TimedTie& timed : ties) {
    if (!timed.commanded) continue;
    const bool want = wanted[k++] > 0.5, made = isMade(timed.request.name, state);
    if (want && !made) make(timed, state, workspace);
    if (!want && made) release(timed.request.name, state);
  }
  workspace.setTies(state.ties);
}

}  // namespace footfall

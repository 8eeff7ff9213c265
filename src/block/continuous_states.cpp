// Continuous states from one instant to the next.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "block/diagram_run.hpp"
#include "block/timed.hpp"
#include "footfall/base/error.hpp"

namespace footfall {
namespace {

using Phase = DiagramObserver::Phase;

// Dormand and Prince 1980: fifth order, with an error estimate of fourth; its last stage is the first of the next step.
constexpr int kStages = 7;
constexpr double kTimes[kStages] = {0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0};
constexpr double kWeights[kStages][kStages - 1] = {
    {},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
constexpr double kError[kStages] = {71.0 / 57600,      0.0,        -71.0 / 16695, 71.0 / 1920,
                                    -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

/// How much longer (or shorter) the next step may be, by the error of the last one.
double growth(double error, double least, double most) {
  if (!std::isfinite(error)) return least;
  return std::clamp(0.9 * std::pow(std::max(error, 1e-10), -0.2), least, most);
}

}  // namespace

/// Signals of continuous blocks are evaluated in between; those of the start are put back, so that all signals that can
/// be read belong to one instant.
void DiagramRun::integrate() {
  const double h = diagram_.settings.step, time = c_.timeOf(c_.tick);
  if (diagram_.settings.solver == "rk45") return integrateAdaptively();
  c_.start = c_.continuous;
  slopes(time);
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

VectorXd DiagramRun::rates() {
  evaluate();
  slopes(c_.timeOf(c_.tick));
  return Eigen::Map<const VectorXd>(c_.derivative.data(), static_cast<Eigen::Index>(c_.derivative.size()));
}

void DiagramRun::slopes(double time) {
  for (const int block : diagram_.derivatives) {
    Evaluation& e = c_.evaluations[block];
    if (!runs(diagram_.block_gates[block])) {
      e.derivative().setZero();
      continue;
    }
    e.time_ = time;
    const Timed timed(observer_, block, Phase::derivatives);
    try {
      diagram_.blocks[block].block->derivatives(e);
    } catch (const Error& error) {
      rethrow(error, block);
    }
  }
}

void DiagramRun::moveFromStart(const std::vector<double>& slope, double h) {
  for (std::size_t i = 0; i < slope.size(); ++i) c_.continuous[i] = c_.start[i] + h * slope[i];
}

/// One more evaluation of Runge and Kutta's: h from the start along the last slope.
void DiagramRun::stage(double time, double h, double weight) {
  moveFromStart(c_.derivative, h);
  minorOutputs(time);
  slopes(time);
  for (std::size_t i = 0; i < c_.slope.size(); ++i) c_.slope[i] += weight * c_.derivative[i];
}

// --- steps that are as long as the tolerance allows -----------------------------------------------------------------

/// Steps inside of the base step, which end where something is not smooth. There, states may jump.
void DiagramRun::integrateAdaptively() {
  constexpr int kMostEvents = 100;  // in one base step; the bounces of a ball that comes to rest have no end
  const double begin = c_.timeOf(c_.tick), end = c_.timeOf(c_.tick + 1);
  double& next = c_.discrete[diagram_.substep];
  if (!(next > 0.0)) next = diagram_.settings.step;
  c_.kept_signals = c_.signals;
  c_.start = c_.continuous;
  slopes(begin);
  c_.slopes[0] = c_.derivative;
  findCrossings(begin, c_.crossings_before);
  int events = 0;
  for (double time = begin; time < end;) {
    const bool whole = next >= end - time;
    Bracket step{whole ? end - time : next, 0.0};
    double error = tryStep(time, step.before);
    findCrossings(time + step.before, c_.crossings_now);
    const bool event = events < kMostEvents && crossed();
    if (event) {
      // Up to the crossing, and, without looking at errors, across it: no stage of the first part sees what is behind.
      step = locateCrossing(time, step.before);
      error = step.before > 0.0 ? tryStep(time, step.before) : 0.0;
    }
    if (!(error <= 1.0)) {
      next = step.before * growth(error, 0.1, 0.9);
      if (time + next > time && next > 1e-12 * diagram_.settings.step) continue;
      throw Error(
          "", fmt::format("t = {:g} s: the steps of rk45 became shorter than {:.1e} s", time, next),
          "a continuous state tends to infinity or jumps; look at the signals just before, or use `solver: rk4`");
    }
    if (step.before > 0.0) {
      next = std::max(step.before * growth(error, 0.2, 5.0), whole || event ? next : 0.0);
      acceptStep();
    }
    if (!event) {
      c_.crossings_before = c_.crossings_now;
      time = whole ? end : time + step.before;
      continue;
    }
    ++events;
    tryStep(time + step.before, step.behind - step.before);
    acceptStep();
    time += step.behind;
    minorOutputs(time);  // the end of the trial was this instant to rounding only
    jump(time);
    c_.start = c_.continuous;
    slopes(time);
    c_.slopes[0] = c_.derivative;
    findCrossings(time, c_.crossings_before);
  }
  c_.signals = c_.kept_signals;
}

/// What the last trial reached is where the next one begins.
void DiagramRun::acceptStep() {
  c_.start = c_.continuous;
  c_.slopes[0] = c_.slopes[kStages - 1];
}

/// Goes h from the start; the error as a multiple of what the tolerance allows.
double DiagramRun::tryStep(double time, double h) {
  const std::size_t states = c_.continuous.size();
  for (int stage = 1; stage < kStages; ++stage) {
    for (std::size_t i = 0; i < states; ++i) {
      double sum = 0.0;
      for (int k = 0; k < stage; ++k) sum += kWeights[stage][k] * c_.slopes[k][i];
      c_.continuous[i] = c_.start[i] + h * sum;
    }
    minorOutputs(time + kTimes[stage] * h);
    slopes(time + kTimes[stage] * h);
    c_.slopes[stage] = c_.derivative;
  }
  double worst = 0.0;
  for (std::size_t i = 0; i < states; ++i) {
    double sum = 0.0;
    for (int k = 0; k < kStages; ++k) sum += kError[k] * c_.slopes[k][i];
    const double size = std::max({1.0, std::abs(c_.start[i]), std::abs(c_.continuous[i])});
    const double error = std::abs(h * sum) / (diagram_.settings.tolerance * size);
    if (!(error <= worst)) worst = error;  // what is no number is the worst
  }
  return worst;
}

/// Two steps, as near to each other as rounding allows: at the end of the longer one something has crossed.
DiagramRun::Bracket DiagramRun::locateCrossing(double time, double h) {
  Bracket step{0.0, h};
  while (true) {
    const double middle = 0.5 * (step.before + step.behind);
    if (!(time + middle > time + step.before && time + middle < time + step.behind)) return step;
    tryStep(time, middle);
    findCrossings(time + middle, c_.crossings_now);
    (crossed() ? step.behind : step.before) = middle;
  }
}

void DiagramRun::findCrossings(double time, std::vector<double>& values) {
  std::size_t place = 0;
  for (const int block : diagram_.crossings) {
    const auto count = static_cast<std::size_t>(diagram_.blocks[block].interface.crossings);
    const std::span<double> own(values.data() + place, count);
    place += count;
    if (runs(diagram_.block_gates[block])) {
      c_.evaluations[block].time_ = time;
      diagram_.blocks[block].block->crossings(c_.evaluations[block], own);
    } else {
      std::fill(own.begin(), own.end(), 0.0);
    }
  }
}

bool DiagramRun::crossed() const {
  for (std::size_t i = 0; i < c_.crossings_now.size(); ++i)
    if (c_.crossings_before[i] != 0.0 && (c_.crossings_before[i] > 0.0) != (c_.crossings_now[i] > 0.0)) return true;
  return false;
}

}  // namespace footfall

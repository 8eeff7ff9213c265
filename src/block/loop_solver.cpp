// Algebraic loops: values that need themselves at the same instant.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "block/diagram_run.hpp"
#include "footfall/base/error.hpp"

namespace footfall {
namespace {

/// Largest of the defects, each as a part of its unknown (of 1 where that is smaller).
double sizeOf(const VectorXd& defect, const VectorXd& at) {
  double worst = 0.0;
  for (Eigen::Index i = 0; i < defect.size(); ++i) {
    const double size = std::abs(defect[i]) / std::max(1.0, std::abs(at[i]));
    if (!(size <= worst)) worst = size;  // what is no number is the worst
  }
  return worst;
}

}  // namespace

/// Evaluates the loop once with assumed values; what comes out of it less what was assumed.
void DiagramRun::loopDefect(const Diagram::Parts::Loop& loop, Entries entries, const VectorXd& at, VectorXd& defect,
                            double time) {
  Eigen::Index place = 0;
  for (const auto& unknown : loop.unknowns)
    for (int i = 0; i < unknown.size; ++i) c_.signals[unknown.offset + i] = at[place++];
  for (const Entry& entry : entries) outputs(entry, time);
  place = 0;
  for (const auto& unknown : loop.unknowns)
    for (int i = 0; i < unknown.size; ++i, ++place) defect[place] = c_.signals[unknown.offset + i] - at[place];
}

/// Newton's method, from the values of the last instant; slopes by differences.
void DiagramRun::solveLoop(int number, Entries entries, double time) {
  constexpr double kWanted = 1e-12, kAcceptable = 1e-9;
  constexpr int kMostSteps = 30, kMostHalvings = 10;
  const Diagram::Parts::Loop& loop = diagram_.loops[number];
  LoopScratch& s = c_.loops[number];
  Eigen::Index place = 0;
  for (const auto& unknown : loop.unknowns)
    for (int i = 0; i < unknown.size; ++i) s.at[place++] = c_.signals[unknown.offset + i];
  loopDefect(loop, entries, s.at, s.defect, time);
  double size = sizeOf(s.defect, s.at);
  for (int step = 0; size > kWanted && step < kMostSteps; ++step) {
    for (int j = 0; j < loop.size; ++j) {
      const double kept = s.at[j], h = 1e-7 * std::max(1.0, std::abs(kept));
      s.at[j] = kept + h;
      loopDefect(loop, entries, s.at, s.trial, time);
      s.slope.col(j) = (s.trial - s.defect) / h;
      s.at[j] = kept;
    }
    s.factors.compute(s.slope);
    s.step = s.factors.solve(s.defect);
    double share = 1.0, trial_size = 0.0;
    for (int halving = 0; halving <= kMostHalvings; ++halving, share *= 0.5) {
      s.trial = s.at - share * s.step;
      loopDefect(loop, entries, s.trial, s.defect, time);
      trial_size = sizeOf(s.defect, s.trial);
      if (trial_size < size) break;
    }
    if (!(trial_size < size)) {
      loopDefect(loop, entries, s.at, s.defect, time);  // no point along the step is better: back to where it began
      break;
    }
    s.at = s.trial;
    size = trial_size;
  }
  if (size <= kAcceptable) return;
  throw Error(loop.where,
              fmt::format("t = {:g} s: the algebraic loop through {} could not be solved; its values differ by {:.1e} "
                          "from what they give",
                          time, loop.name, size),
              "has it a solution, and only one? A Delay in one of its lines makes it a recursion");
}

}  // namespace footfall

// What each stage of the native contact solver buys: the recorded problems with all of its stages, and with one of them
// left out at a time, as tables for docs/contact_solver.md. Problems and starting points are the same for all variants:
// those of the whole solver, warm along the chains. Times are those of the processor, shortest of three solves.
//     footfall_solver_ablation [--law cone|pyramid|convex_pyramid] [FAMILY …]

#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "solver/native/native_solver.hpp"
#include "solver/ncp_file.hpp"
#include "thread_time.hpp"
#include "tools/source_dir.hpp"

namespace footfall::bench {
namespace {

constexpr int kRepeats = 3;
constexpr const char* kLaws[] = {"cone", "pyramid", "convex_pyramid"};
const std::vector<std::string> kFamilies = {"icub_stand", "icub_slide", "anymal_stand", "anymal_trot", "anymal_slide",
                                            "impact",     "boxes",      "fallen",       "random",      "drops"};

/// A problem with the point where its solve begins.
struct Case {
  ContactProblem problem;
  ContactSolution start;
};

std::vector<Case> casesOf(const std::string& family, FrictionLaw law) {
  const auto records = test::readFamily(sourceDir() + "/tests/data/contact_problems", family);
  const auto solver = makeNativeSolver();
  std::vector<Case> cases;
  ContactSolution solution;
  for (std::size_t k = 0; k < records.size(); ++k) {
    solution.minimum_norm = solution.minimum_norm && records[k].follows;
    solution.impulse = test::warmStart(records[k], k > 0 ? &records[k - 1] : nullptr, solution.impulse);
    cases.push_back({records[k].problem, solution});
    cases.back().problem.law = law;
    solver->solve(cases.back().problem, {}, solution);
  }
  return cases;
}

struct Tally {
  int unsolved = 0;
  double worst = 0.0;         ///< residual [m/s]
  std::vector<double> times;  ///< [µs]
  SolverCounters counters;

  double total() const {
    double sum = 0.0;
    for (const double time : times) sum += time;
    return sum;
  }
  double quantile(double share) const {
    std::vector<double> sorted = times;
    std::sort(sorted.begin(), sorted.end());
    return sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(share * sorted.size()))];
  }
};

Tally solveAll(const std::vector<Case>& cases, unsigned without) {
  const auto solver = makeNativeSolver(without);
  const SolverSettings settings;
  Tally tally;
  ContactSolution solution;
  for (const Case& one : cases) {
    double shortest = 1e300;
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
      solution = one.start;
      const double begin = now();
      solver->solve(one.problem, settings, solution);
      shortest = std::min(shortest, 1e6 * (now() - begin));
    }
    tally.times.push_back(shortest);
    tally.unsolved += solution.status != SolveStatus::converged;
    tally.worst = std::max(tally.worst, solution.residual);
    tally.counters += solution.counters;
  }
  return tally;
}

void print(const std::string& family, const char* left_out, const Tally& tally, const Tally& all) {
  std::printf("| %s | %s | %zu of %zu | %.0e | %.2f | %.0f, %.0f, %.0f |", family.c_str(), left_out,
              tally.times.size() - tally.unsolved, tally.times.size(), tally.worst, tally.total() / all.total(),
              tally.quantile(0.5), tally.quantile(0.99), tally.quantile(1.0));
  for (int k = 0; k < kSolverStages; ++k)
    if (tally.counters.steps[k] > 0)
      std::printf(" %s %d", nameOf(static_cast<SolverStage>(k)), tally.counters.steps[k]);
  std::printf(" |\n");
  std::fflush(stdout);
}

void ablate(const std::string& family, FrictionLaw law) {
  const std::vector<Case> cases = casesOf(family, law);
  const Tally all = solveAll(cases, 0);
  print(family, "nothing", all, all);
  for (int stage = 0; stage < kSolverStages; ++stage)
    if (all.counters.steps[stage] > 0)
      print(family, nameOf(static_cast<SolverStage>(stage)), solveAll(cases, 1u << stage), all);
}

std::optional<FrictionLaw> lawCalled(const std::string& name) {
  for (int k = 0; k < 3; ++k)
    if (name == kLaws[k]) return static_cast<FrictionLaw>(k);
  return {};
}

int run(std::vector<std::string> arguments) {
  FrictionLaw law = FrictionLaw::cone;
  if (arguments.size() >= 2 && arguments[0] == "--law") {
    const auto chosen = lawCalled(arguments[1]);
    if (!chosen) {
      std::fprintf(stderr, "footfall_solver_ablation: law '%s', expected cone, pyramid or convex_pyramid\n",
                   arguments[1].c_str());
      return 2;
    }
    law = *chosen;
    arguments.erase(arguments.begin(), arguments.begin() + 2);
  }
  std::printf("| %s | left out | solved | worst m/s | time | median, 99 %%, slowest µs | steps |\n", kLaws[int(law)]);
  std::printf("|---|---|---|---|---|---|---|\n");
  for (const std::string& family : arguments.empty() ? kFamilies : arguments) ablate(family, law);
  return 0;
}

}  // namespace
}  // namespace footfall::bench

int main(int count, char** arguments) {
  try {
    return footfall::bench::run({arguments + 1, arguments + count});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "footfall_solver_ablation: %s\n", error.what());
    return 2;
  }
}

// Time of one contact solve on recorded problems, warm-started along their chains as a simulation does, and cold.
// The counters tell what the mean hides: median, 99th percentile, and how many problems were not solved.

#include "footfall/solver/contact_solver.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "footfall/base/plugin.hpp"
#include "solver/ncp_file.hpp"
#include "tools/source_dir.hpp"

namespace footfall {
namespace {

enum class Start { warm, cold };

constexpr const char* kFamilies[] = {"icub_stand",   "icub_slide", "anymal_stand", "anymal_trot",
                                     "anymal_slide", "impact",     "boxes",        "fallen"};

const char* nameOf(FrictionLaw law) {
  constexpr const char* kNames[] = {"cone", "pyramid", "convex_pyramid"};
  return kNames[static_cast<int>(law)];
}

/// Shortest of a few repetitions of the same solve, which other programs on the machine disturb least [µs].
double timeSolve(ContactSolver& solver, const ContactProblem& problem, const ContactSolution& start,
                 ContactSolution& solution) {
  constexpr int kRepetitions = 5;
  double shortest = 1e300;
  for (int k = 0; k < kRepetitions; ++k) {
    solution.impulse = start.impulse;
    solution.minimum_norm = start.minimum_norm;
    const auto begin = std::chrono::steady_clock::now();
    solver.solve(problem, {}, solution);
    const auto end = std::chrono::steady_clock::now();
    shortest = std::min(shortest, std::chrono::duration<double, std::micro>(end - begin).count());
  }
  return shortest;
}

double quantile(std::vector<double>& times, double share) {
  const std::size_t rank = std::min(times.size() - 1, static_cast<std::size_t>(share * times.size()));
  std::nth_element(times.begin(), times.begin() + rank, times.end());
  return times[rank];
}

void solveFamily(benchmark::State& state, const std::string& solver_name, const std::string& family, FrictionLaw law,
                 Start mode) {
  auto records = test::readFamily(sourceDir() + "/tests/data/contact_problems", family);
  const auto solver = makeContactSolver(solver_name);
  std::vector<double> times;
  int unsolved = 0;
  for (auto _ : state) {
    ContactSolution solution;
    double total = 0.0;
    for (std::size_t k = 0; k < records.size(); ++k) {
      records[k].problem.law = law;
      ContactSolution start;
      const bool warm = mode == Start::warm && records[k].follows;
      start.impulse = test::warmStart(records[k], warm ? &records[k - 1] : nullptr, solution.impulse);
      start.minimum_norm = warm && solution.minimum_norm;
      times.push_back(timeSolve(*solver, records[k].problem, start, solution));
      total += times.back();
      unsolved += solution.status != SolveStatus::converged;
    }
    state.SetIterationTime(1e-6 * total / records.size());
  }
  state.counters["median_us"] = quantile(times, 0.5);
  state.counters["p99_us"] = quantile(times, 0.99);
  state.counters["unsolved"] = unsolved / static_cast<double>(state.iterations());
}

void registerFamily(const std::string& solver, const std::string& family, FrictionLaw law, Start mode) {
  const std::string name = solver + "/" + nameOf(law) + "/" + family + (mode == Start::warm ? "/warm" : "/cold");
  benchmark::RegisterBenchmark(name.c_str(), solveFamily, solver, family, law, mode)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond)
      ->Iterations(3);
}

void registerAll() {
  for (const char* family : kFamilies)
    for (Start mode : {Start::warm, Start::cold}) registerFamily("native", family, FrictionLaw::cone, mode);
  for (const char* family : kFamilies)
    for (FrictionLaw law : {FrictionLaw::pyramid, FrictionLaw::convex_pyramid})
      registerFamily("native", family, law, Start::warm);
  for (const PluginInfo& plugin : findPlugins()) {
    if (plugin.kind != "solver" || !plugin.problem.empty()) continue;
    for (const char* family : {"icub_stand", "icub_slide", "anymal_trot"})
      registerFamily(plugin.name, family, FrictionLaw::convex_pyramid, Start::warm);
  }
}

}  // namespace
}  // namespace footfall

int main(int argc, char** argv) {
  footfall::registerAll();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}

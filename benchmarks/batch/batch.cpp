// Many copies of one world: what a step of one of them costs a core, beside the step of a Simulation in the same run.
#include <benchmark/benchmark.h>

#include <random>

#include "footfall/batch/batch_simulation.hpp"
#include "footfall/run/simulation.hpp"
#include "thread_time.hpp"

namespace footfall::bench {
namespace {

constexpr int kCopies = 4096;
constexpr int kSettle = 2000;   // steps until the robot stands still
constexpr double kPush = 0.18;  // step in base velocity, as in the other benchmarks [m/s]
constexpr int kPushedSteps = 300;

Scene sceneOf(const std::string& name) { return loadScene(FOOTFALL_SOURCE_DIR "/scenes/" + name); }

State settled(const Scene& scene) {
  Simulation simulation(scene);
  for (int k = 0; k < kSettle; ++k) simulation.step();
  return simulation.state();
}

/// All worlds where a settled robot is, each pushed in a direction of its own.
void start(const State& state, double push, BatchSimulation& batch) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> angle(0.0, 6.283185307179586);
  for (int world = 0; world < batch.copies(); ++world) {
    batch.setState(world, state);
    const double heading = angle(random);
    batch.values("nu")(world, 0) += push * std::cos(heading);
    batch.values("nu")(world, 1) += push * std::sin(heading);
  }
}

/// Seconds of a step of a Simulation from the same states, on one thread.
double singleStep(const Scene& scene, const State& state, double push, int steps) {
  Simulation simulation(scene);
  State pushed = state;
  pushed.nu[0] += push;
  simulation.setState(pushed);
  return secondsPerCall(steps, [&](int) { simulation.step(); });
}

/// Figures of a thread: processor time of one step of one world.
void steps(benchmark::State& run, const std::string& name, double push, int steps_in_turn) {
  const Scene scene = sceneOf(name);
  const State state = settled(scene);
  BatchSimulation batch(scene, {.copies = kCopies, .threads = 1});
  std::vector<double> many, one;
  for (auto _ : run) {
    start(state, push, batch);
    const double seconds = secondsPerCall(steps_in_turn, [&](int) { batch.step(); });
    run.SetIterationTime(seconds * steps_in_turn);
    many.push_back(seconds / kCopies);
    one.push_back(singleStep(scene, state, push, steps_in_turn));
  }
  if (batch.failedWorlds() > 0) run.SkipWithError("a world failed");
  run.counters["us"] = 1e6 * median(many);
  run.counters["single_us"] = 1e6 * median(one);
  run.counters["kB_a_copy"] = 1e-3 * static_cast<double>(batch.bytesPerCopy());
}

void batchStanding(benchmark::State& run, const std::string& scene) { steps(run, scene, 0.0, 20); }
void batchPushed(benchmark::State& run, const std::string& scene) { steps(run, scene, kPush, kPushedSteps); }

#define FOOTFALL_BATCH(function, name, scene, turns)    \
  BENCHMARK_CAPTURE(function, name, std::string(scene)) \
      ->UseManualTime()                                 \
      ->Iterations(turns)                               \
      ->Unit(benchmark::kMillisecond)

FOOTFALL_BATCH(batchStanding, icub, "icub.yaml", 9);
FOOTFALL_BATCH(batchPushed, icub, "icub.yaml", 1);
FOOTFALL_BATCH(batchStanding, anymal_c, "anymal_c.yaml", 9);
FOOTFALL_BATCH(batchPushed, anymal_c, "anymal_c.yaml", 1);
FOOTFALL_BATCH(batchStanding, g1, "g1.yaml", 9);

}  // namespace
}  // namespace footfall::bench

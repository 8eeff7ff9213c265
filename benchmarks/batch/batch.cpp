// Many copies of one world: what a step of one of them costs a core, beside the step of a Simulation in the same run.
#include <benchmark/benchmark.h>

#include <random>

#include "footfall/batch/batch_simulation.hpp"
#include "footfall/run/simulation.hpp"
#include "footfall/terrain/height_field.hpp"
#include "thread_time.hpp"
#include "tools/source_dir.hpp"

namespace footfall::bench {
namespace {

constexpr int kCopies = 4096;
constexpr int kSettle = 2000;   // steps until the robot stands still
constexpr double kPush = 0.18;  // step in base velocity, as in the other benchmarks [m/s]
constexpr int kPushedSteps = 300;

Scene sceneOf(const std::string& name) { return loadScene(sourceDir() + "/scenes/" + name); }

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

/// Legs that stand across from each other lift in turn: hip by hip, the thigh swings and the calf bends.
VectorXd trotTarget(const VectorXd& standing, double phase, double time) {
  constexpr double kFrequency = 2.0, kSwing = 0.15, kLift = 0.4;  // [Hz, rad, rad]
  constexpr int kThigh = 1, kCalf = 2, kJoints = 3;               // of a leg
  VectorXd target = standing;
  for (int leg = 0; leg < 4; ++leg) {
    const bool first_pair = leg == 0 || leg == 3;
    const double angle = 6.283185307179586 * kFrequency * time + phase + (first_pair ? 0.0 : 3.141592653589793);
    target[kJoints * leg + kThigh] += kSwing * std::sin(angle) + 0.5 * kLift * std::max(std::cos(angle), 0.0);
    target[kJoints * leg + kCalf] -= kLift * std::max(std::cos(angle), 0.0);
  }
  return target;
}

/// Every world begins at another phase of its trot, and gets new targets every ten steps, as by a policy of 100 Hz.
void batchTrotting(benchmark::State& run, const std::string& name) {
  constexpr int kSeconds = 1, kHold = 10, kWorlds = 1024;
  const Scene scene = sceneOf(name);
  const State state = settled(scene);
  std::vector<double> many;
  int failed = 0;
  double lowest = 1.0;
  for (auto _ : run) {
    BatchSimulation batch(scene, {.copies = kWorlds, .threads = 1});
    start(state, 0.0, batch);
    BatchArray& target = batch.values("target");
    const VectorXd standing = target.row(0);
    double seconds = 0.0;
    for (int k = 0; k < 1000 * kSeconds / kHold; ++k) {
      for (int world = 0; world < kWorlds; ++world)
        target.row(world) = trotTarget(standing, 6.283185307179586 * world / kWorlds, 1e-3 * kHold * k);
      seconds += secondsPerCall(1, [&](int) { batch.step(kHold); });
    }
    run.SetIterationTime(seconds);
    many.push_back(seconds / (1000.0 * kSeconds * kWorlds));
    failed += batch.failedWorlds();
    for (int world = 0; world < kWorlds; ++world) lowest = std::min(lowest, batch.values("q")(world, 2));
  }
  if (failed > 0) run.SkipWithError("a world failed");
  run.counters["us"] = 1e6 * median(many);
  run.counters["lowest_m"] = lowest;  // of the bases: who has fallen does not trot
}

void batchStanding(benchmark::State& run, const std::string& scene) { steps(run, scene, 0.0, 20); }
void batchPushed(benchmark::State& run, const std::string& scene) { steps(run, scene, kPush, kPushedSteps); }

/// A grid of heights of 60 m × 60 m, as tiles of a curriculum have.
HeightField roughGround(Interpolation interpolation) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> height(-0.1, 0.1);
  HeightTable table{600, 600, {}};
  for (int i = 0; i < 600 * 600; ++i) table.heights.push_back(height(random));
  return {std::make_shared<HeightGrid>(std::move(table), 0.1, 1.0, interpolation), Vector3d::Zero(), Material{}};
}

/// 187 rays straight down around places all over the ground, as a height scan casts them for one robot.
void scan(benchmark::State& run, Interpolation interpolation) {
  constexpr int kScans = 2000;
  const HeightField ground = roughGround(interpolation);
  std::vector<Ray> rays(187, {Vector3d::Zero(), -Vector3d::UnitZ()});
  std::vector<double> distance(187);
  std::vector<double> times;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(-25.0, 25.0);
  for (auto _ : run) {
    const double seconds = secondsPerCall(kScans, [&](int) {
      const double x = place(random), y = place(random);
      for (int i = 0; i < 187; ++i) {
        const int row = i / 17, column = i % 17;
        rays[i].origin_W = {x + 0.1 * column, y + 0.1 * row, 1.0};
      }
      std::fill(distance.begin(), distance.end(), 3.0);
      shortenRays(ground, rays, 0.0, distance);
      benchmark::DoNotOptimize(distance.data());
    });
    run.SetIterationTime(seconds * kScans);
    times.push_back(seconds);
  }
  run.counters["us"] = 1e6 * median(times);
}

BENCHMARK_CAPTURE(scan, bilinear, Interpolation::bilinear)->UseManualTime()->Iterations(9);
BENCHMARK_CAPTURE(scan, bicubic, Interpolation::bicubic)->UseManualTime()->Iterations(9);

#define FOOTFALL_BATCH(function, name, scene, turns)    \
  BENCHMARK_CAPTURE(function, name, std::string(scene)) \
      ->UseManualTime()                                 \
      ->Iterations(turns)                               \
      ->Unit(benchmark::kMillisecond)

FOOTFALL_BATCH(batchStanding, icub, "icub.yaml", 9);
FOOTFALL_BATCH(batchPushed, icub, "icub.yaml", 1);
FOOTFALL_BATCH(batchStanding, anymal_c, "anymal_c.yaml", 9);
FOOTFALL_BATCH(batchPushed, anymal_c, "anymal_c.yaml", 1);
FOOTFALL_BATCH(batchStanding, go2, "go2.yaml", 9);
FOOTFALL_BATCH(batchTrotting, go2, "go2.yaml", 1);
FOOTFALL_BATCH(batchStanding, g1, "g1.yaml", 9);

}  // namespace
}  // namespace footfall::bench

// What a diagram around the robot costs: its steps as multiples of Simulation::step() of the same scene. Both are
// measured in turns, so that a busy machine slows both; the ratio is the median over the turns.
#include <benchmark/benchmark.h>

#include <vector>

#include "footfall/robot_block/robot_blocks.hpp"
#include "footfall/run/simulation.hpp"
#include "thread_time.hpp"
#include "tools/source_dir.hpp"

namespace footfall::bench {
namespace {

constexpr int kStepsPerTurn = 50;

template <class Step>
double secondsOfTurn(Step step) {
  const double start = now();
  for (int k = 0; k < kStepsPerTurn; ++k) step();
  return (now() - start) / kStepsPerTurn;
}

void overhead(benchmark::State& run, const std::string& file) {
  const Scene scene = loadScene(sourceDir() + "/scenes/" + file);
  Simulation simulation(scene);
  const Diagram diagram = defaultDiagram(scene).build({.step = scene.physics.step});
  Context context = diagram.makeContext();
  std::vector<double> bare, inside, ratio;
  for (auto _ : run) {
    bare.push_back(secondsOfTurn([&] { simulation.step(); }));
    inside.push_back(secondsOfTurn([&] { diagram.step(context); }));
    ratio.push_back(inside.back() / bare.back());
    run.SetIterationTime(inside.back());
  }
  run.counters["simulation_us"] = 1e6 * median(bare);
  run.counters["diagram_us"] = 1e6 * median(inside);
  run.counters["overhead_percent"] = 100.0 * (median(ratio) - 1.0);
}

BENCHMARK_CAPTURE(overhead, icub, "icub.yaml")->UseManualTime()->Iterations(400);
BENCHMARK_CAPTURE(overhead, icub_motors, "icub_motors.yaml")->UseManualTime()->Iterations(400);
BENCHMARK_CAPTURE(overhead, anymal_c, "anymal_c.yaml")->UseManualTime()->Iterations(400);

}  // namespace
}  // namespace footfall::bench

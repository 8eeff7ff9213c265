// What an FMU costs over the simulation inside: doStep of its session against the step of a simulation of the same
// scene, in turns. The functions of FMI themselves only pass on.

#include <benchmark/benchmark.h>

#include <filesystem>
#include <fstream>

#include "export/scene_bundle.hpp"
#include "footfall/run/instrumented_simulation.hpp"
#include "runtime/session.hpp"
#include "thread_time.hpp"
#include "tools/source_dir.hpp"

namespace footfall::bench {
namespace {

constexpr int kStepsPerTurn = 200;

std::filesystem::path unpack(const std::string& scene) {
  const auto folder = std::filesystem::temp_directory_path() / "footfall-bench-fmu";
  std::filesystem::create_directories(folder);
  for (const fmu::ZipEntry& entry : fmu::bundleScene(scene, {})) std::ofstream(folder / entry.name) << entry.bytes;
  return folder;
}

void doStep(benchmark::State& run, const std::string& name) {
  const std::string scene = sourceDir() + "/scenes/" + name + ".yaml";
  InstrumentedSimulation robot(loadScene(scene));
  fmu::Session session(unpack(scene));
  session.initialize(0.0);
  session.fixParameters();
  const double dt = session.internalStep();
  std::vector<double> own, plain, difference;
  for (auto _ : run) {
    plain.push_back(secondsPerCall(kStepsPerTurn, [&](int) { benchmark::DoNotOptimize(robot.step().residual); }));
    own.push_back(secondsPerCall(kStepsPerTurn, [&](int) { session.doStep(session.time(), dt); }));
    difference.push_back(own.back() - plain.back());
    run.SetIterationTime(own.back() * kStepsPerTurn);
  }
  run.counters["fmu_us"] = 1e6 * median(own);
  run.counters["step_us"] = 1e6 * median(plain);
  run.counters["over_us"] = 1e6 * median(difference);
}

BENCHMARK_CAPTURE(doStep, icub, "icub")->UseManualTime();

}  // namespace
}  // namespace footfall::bench

// What it costs to write a run down, beside the steps themselves. Both are measured in the same run, on the thread that
// steps; what the thread that compresses and writes files uses meanwhile, on another core, is told beside it. The cost
// of a row grows with the number of its columns.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <vector>

#include "footfall/record/run_recorder.hpp"
#include "footfall/run/instrumented_simulation.hpp"
#include "thread_time.hpp"
#include "tools/source_dir.hpp"

namespace footfall::bench {
namespace {

constexpr int kStepsPerTurn = 200;

std::string logPath(const char* ending) {
  return (std::filesystem::temp_directory_path() / ("footfall_bench_log" + std::string(ending))).string();
}

/// Processor time that other threads of this process have used [s].
double otherThreads() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec) - now();
}

/// Turns of steps alone and of steps that are recorded: the medians, and what a recorded step costs more.
void recordedSteps(benchmark::State& run, const char* ending, double scene_rate) {
  InstrumentedSimulation robot(loadScene(sourceDir() + "/scenes/icub.yaml"));
  const auto log = makeLog(logPath(ending));
  RunRecorder recorder(*log, robot, {.meshes = false, .scene_rate = scene_rate});
  std::vector<double> plain, recorded;
  const double others_before = otherThreads();
  for (auto _ : run) {
    double start = now();
    for (int k = 0; k < kStepsPerTurn; ++k) robot.step();
    plain.push_back((now() - start) / kStepsPerTurn);
    start = now();
    for (int k = 0; k < kStepsPerTurn; ++k) {
      recorder.beforeStep(robot);
      robot.step();
      recorder.afterStep(robot);
    }
    recorded.push_back((now() - start) / kStepsPerTurn);
    run.SetIterationTime(recorded.back() * kStepsPerTurn);
  }
  recorder.finish(robot);
  std::filesystem::remove(logPath(ending));
  const double rows = static_cast<double>(recorded.size()) * kStepsPerTurn;
  run.counters["asked_us"] = 3.0;
  run.counters["writer_us"] = 1e6 * (otherThreads() - others_before) / rows;
  run.counters["step_us"] = 1e6 * median(plain);
  run.counters["cost_us"] = 1e6 * (median(recorded) - median(plain));
  run.counters["ratio"] = (median(recorded) - median(plain)) / median(plain);
}

/// Only the row: as many channels as iCub's run has, set and written.
void rows(benchmark::State& run, const char* ending) {
  const auto log = makeLog(logPath(ending));
  const ChannelHandle time = log->add({"time", "s", {}, "state"});
  std::vector<ChannelHandle> channels;
  for (const char* bus : {"state", "torques", "contacts", "balance"})
    for (int i = 0; i < 40; ++i) channels.push_back(log->add({std::string(bus) + std::to_string(i), "-", {}, bus}));
  log->begin();
  double value = 0.0;
  std::vector<double> seconds;
  for (auto _ : run) {
    const double start = now();
    for (int k = 0; k < kStepsPerTurn; ++k) {
      log->set(time, value += 1e-3);
      for (const ChannelHandle channel : channels) log->set(channel, value += 1e-7);
      log->endRow();
    }
    seconds.push_back((now() - start) / kStepsPerTurn);
    run.SetIterationTime(seconds.back() * kStepsPerTurn);
  }
  log->close();
  std::filesystem::remove(logPath(ending));
  run.counters["cost_us"] = 1e6 * median(seconds);
}

BENCHMARK_CAPTURE(recordedSteps, iCub_mcap, ".mcap", 60.0)
    ->UseManualTime()
    ->Iterations(200)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(recordedSteps, iCub_mcap_without_foxglove, ".mcap", 0.0)
    ->UseManualTime()
    ->Iterations(200)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(recordedSteps, iCub_csv, ".csv", 0.0)->UseManualTime()->Iterations(20)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(rows, of_161_columns_mcap, ".mcap")->UseManualTime()->Iterations(500)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace footfall::bench

// Robots that touch the ground with the hulls of all their links: what it costs to lie on them, and what it costs to
// have them while in the air.
#include <benchmark/benchmark.h>

#include "footfall/contact/contact.hpp"
#include "footfall/run/simulation.hpp"
#include "footfall/terrain/terrain.hpp"
#include "thread_time.hpp"
#include "tools/source_dir.hpp"

namespace footfall::bench {
namespace {

Scene sceneOf(const std::string& name) { return loadScene(sourceDir() + "/scenes/" + name); }

int carrying(const StepResult& result) {
  return static_cast<int>(
      std::count_if(result.contacts.begin(), result.contacts.end(),
                    [](const ContactReport& contact) { return contact.mode != ContactMode::open; }));
}

/// A thousand steps of a robot that has fallen and lies on its hulls, as a real-time factor: seconds of the robot for
/// one of the processor. Each of them must have at least so many contacts.
void lying(benchmark::State& run, const std::string& scene, int least_contacts) {
  constexpr int kSteps = 1000, kSettle = 4000;
  Simulation simulation(sceneOf(scene));
  for (int k = 0; k < kSettle; ++k) simulation.step();
  const State lying = simulation.state();
  std::vector<double> times, contacts, loaded, slowest;
  for (auto _ : run) {
    simulation.setState(lying);
    double total = 0.0, longest = 0.0;
    for (int k = 0; k < kSteps; ++k) {
      const double start = now();
      const StepResult& result = simulation.step();
      const double seconds = now() - start;
      total += seconds;
      longest = std::max(longest, seconds);
      contacts.push_back(static_cast<double>(result.contacts.size()));
      loaded.push_back(carrying(result));
      if (result.status == SolveStatus::failed) run.SkipWithError("a solve failed");
    }
    run.SetIterationTime(total);
    times.push_back(total);
    slowest.push_back(longest);
  }
  run.counters["real_time_factor"] = kSteps * simulation.settings().step / median(times);
  run.counters["us_per_step"] = 1e6 * median(times) / kSteps;
  run.counters["slowest_us"] = 1e6 * median(slowest);
  run.counters["contacts"] = median(contacts);
  run.counters["fewest_contacts"] = *std::min_element(contacts.begin(), contacts.end());
  run.counters["carrying"] = median(loaded);
  if (run.counters["fewest_contacts"] < least_contacts) run.SkipWithError("too few contacts");
}

/// The share of a step that goes into looking for contacts while a robot falls, all of its joints turning.
/// @param height of the base above where the scene has it; in the steps that are timed it falls by 0.2 m [m]
void detectionInTheAir(benchmark::State& run, const std::string& scene_name, double height) {
  constexpr int kCalls = 200;
  constexpr double kJointRate = 1.0;  // [rad/s]
  Scene scene = sceneOf(scene_name);
  scene.robot.base_position.z() += height;
  Simulation simulation(scene);
  State start = simulation.state();
  start.nu.tail(simulation.model().jointDofs()).setConstant(kJointRate);
  const Plane ground;
  ContactDetector detector(simulation.model());
  std::vector<ContactFrame> frames;
  std::vector<ActiveContact> active;
  std::vector<double> step_times, detection_times, shares;
  for (auto _ : run) {
    simulation.setState(start);
    step_times.push_back(secondsPerCall(kCalls, [&](int) { benchmark::DoNotOptimize(simulation.step().residual); }));
    const State& state = simulation.state();
    const Dynamics& dynamics = simulation.dynamics();
    detection_times.push_back(secondsPerCall(
        kCalls, [&](int) { detector.detect(ground, state.time, {}, state.q, state.nu, dynamics, frames, active); }));
    shares.push_back(detection_times.back() / step_times.back());
    run.SetIterationTime(kCalls * step_times.back());
    if (!active.empty()) run.SkipWithError("not in the air");
  }
  run.counters["step_us"] = 1e6 * median(step_times);
  run.counters["detection_us"] = 1e6 * median(detection_times);
  run.counters["share"] = median(shares);
  run.counters["shapes"] = static_cast<double>(simulation.model().shapes.size());
  run.counters["candidates"] = static_cast<double>(simulation.model().candidates.size());
}

BENCHMARK_CAPTURE(lying, g1, std::string("fallen_g1.yaml"), 1)
    ->UseManualTime()
    ->Iterations(5)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(lying, g1_limp, std::string("limp_g1.yaml"), 40)
    ->UseManualTime()
    ->Iterations(5)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(detectionInTheAir, g1_high_up, std::string("fallen_g1.yaml"), 3.0)
    ->UseManualTime()
    ->Iterations(200)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(detectionInTheAir, g1_about_to_land, std::string("fallen_g1.yaml"), 0.22)
    ->UseManualTime()
    ->Iterations(200)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace footfall::bench

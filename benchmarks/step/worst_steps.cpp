// The slowest steps of scenes, and where their time went. A state is a value: each step is made a few
// times from the same state and the shortest time counts, so that what else the machine does does not.
//     worst_steps [--top N] [--steps N] [--once] [SCENE.yaml | drop:ROBOT:SEED | drop:ROBOT:FIRST-LAST] …
// Without scenes: every file of scenes/. Drops are those of the soak. What is done once (ties that are made, memory
// that grows) is hidden by that: with --once every step counts as it was made, and so does what else the machine does.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "footfall/run/simulation.hpp"
#include "soak/drop.hpp"
#include "thread_time.hpp"
#include "tools/source_dir.hpp"

namespace footfall::bench {
namespace {

constexpr int kFirstRepeats = 3;  ///< of every step
constexpr int kRepeats = 20;      ///< of those that were slowest
constexpr int kCandidates = 40;   ///< how many those are
constexpr int kStepsOfADrop = 2000;

struct Options {
  int top = 1;
  int steps = 0;  ///< 0: as many as the scene says
  bool once = false;
  std::vector<std::string> names;
};

struct TimedStep {
  double seconds = 0.0;
  State start;
};

double timeOf(Simulation& simulation, const State& start) {
  simulation.setState(start);
  const double begin = now();
  simulation.step();
  return now() - begin;
}

double shortest(Simulation& simulation, const State& start, int repeats) {
  double best = timeOf(simulation, start);
  for (int k = 1; k < repeats; ++k) best = std::min(best, timeOf(simulation, start));
  return best;
}

/// All steps of a run, and those that took longest.
class WorstSteps {
 public:
  WorstSteps(Simulation& simulation, bool once) : simulation_(simulation), once_(once) {}

  void run(int steps) {
    for (int k = 0; k < steps; ++k) {
      const State start = simulation_.state();
      const double seconds = once_ ? timeOfNext() : shortest(simulation_, start, kFirstRepeats);
      keep({seconds, start});
      times_.push_back(seconds);
      if (simulation_.result().status == SolveStatus::failed) break;
    }
    for (TimedStep& step : slowest_)
      if (!once_) step.seconds = shortest(simulation_, step.start, kRepeats);
    sort();
  }

  void print(const std::string& name, int top) {
    std::sort(times_.begin(), times_.end());
    std::printf("%-26s %6zu steps  us: median %6.1f  99 %% %6.0f  99.9 %% %6.0f  slowest %6.0f\n", name.c_str(),
                times_.size(), quantile(0.5), quantile(0.99), quantile(0.999), 1e6 * slowest_.front().seconds);
    for (int k = 0; k < std::min<int>(top, slowest_.size()); ++k) print(slowest_[k]);
    std::fflush(stdout);
  }

 private:
  double timeOfNext() {
    const double begin = now();
    simulation_.step();
    return now() - begin;
  }

  void keep(TimedStep step) {
    slowest_.push_back(std::move(step));
    if (slowest_.size() < 2 * kCandidates) return;
    sort();
    slowest_.resize(kCandidates);
  }

  void sort() {
    std::stable_sort(slowest_.begin(), slowest_.end(),
                     [](const TimedStep& a, const TimedStep& b) { return a.seconds > b.seconds; });
  }

  double quantile(double share) const { return 1e6 * times_[static_cast<std::size_t>(share * (times_.size() - 1))]; }

  void print(const TimedStep& slow) {
    StepProfile profile;
    simulation_.setProfile(&profile);
    simulation_.setState(slow.start);
    const StepResult& result = simulation_.step();
    simulation_.setProfile(nullptr);
    const auto carry = std::count_if(result.contacts.begin(), result.contacts.end(),
                                     [](const ContactReport& c) { return c.force_C.z() > 0.0; });
    std::printf("  t %8.3f  %5.0f us  %zu contacts (%td carry)%s  order %d  residual %.0e  %d solves, %d iterations:",
                slow.start.time, 1e6 * slow.seconds, result.contacts.size(), carry, result.impact ? "  impact" : "",
                result.order, result.residual, result.counters.solves, result.iterations);
    for (int k = 0; k < kSolverStages; ++k)
      if (result.counters.steps[k] > 0)
        std::printf("  %s %d", nameOf(static_cast<SolverStage>(k)), result.counters.steps[k]);
    std::printf("  |");
    for (int k = 0; k < kStepStages; ++k)
      if (profile.seconds[k] > 20e-6)
        std::printf("  %s %.0f us", nameOf(static_cast<StepStage>(k)), 1e6 * profile.seconds[k]);
    std::printf("\n");
  }

  Simulation& simulation_;
  bool once_;
  std::vector<double> times_;
  std::vector<TimedStep> slowest_;
};

void runScene(const std::string& file, const Options& options) {
  const Scene scene = withoutDiagram(loadScene(file));
  Simulation simulation(scene);
  const int steps = static_cast<int>(std::lround(scene.run.duration / simulation.settings().step));
  WorstSteps worst(simulation, options.once);
  worst.run(options.steps > 0 ? std::min(steps, options.steps) : steps);
  worst.print(std::filesystem::path(file).stem().string(), options.top);
}

void runDrop(const std::string& robot, int seed, const Options& options) {
  for (const soak::DropRobot& known : soak::kRobots) {
    if (robot != known.name) continue;
    soak::Drop drop(known, seed);
    WorstSteps worst(drop.simulation(), options.once);
    worst.run(options.steps > 0 ? options.steps : kStepsOfADrop);
    worst.print("drop " + robot + " " + std::to_string(seed), options.top);
    return;
  }
  std::fprintf(stderr, "worst_steps: the soak has no robot '%s'\n", robot.c_str());
  std::exit(2);
}

/// drop:ROBOT:SEED or drop:ROBOT:FIRST-LAST
void runDrops(const std::string& name, const Options& options) {
  const std::size_t colon = name.find(':', 5), dash = name.find('-', colon);
  const std::string robot = name.substr(5, colon - 5);
  const int first = std::stoi(name.substr(colon + 1));
  const int last = dash == std::string::npos ? first : std::stoi(name.substr(dash + 1));
  for (int seed = first; seed <= last; ++seed) runDrop(robot, seed, options);
}

std::vector<std::string> allScenes() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(sourceDir() + "/scenes"))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

Options read(int count, char** arguments) {
  Options options;
  for (int k = 1; k < count; ++k) {
    const std::string name = arguments[k];
    if (name == "--top" && k + 1 < count) {
      options.top = std::stoi(arguments[++k]);
    } else if (name == "--steps" && k + 1 < count) {
      options.steps = std::stoi(arguments[++k]);
    } else if (name == "--once") {
      options.once = true;
    } else {
      options.names.push_back(name);
    }
  }
  if (options.names.empty()) options.names = allScenes();
  return options;
}

int runAll(const Options& options) {
  int refused = 0;
  for (const std::string& name : options.names) {
    try {
      if (name.rfind("drop:", 0) == 0)
        runDrops(name, options);
      else
        runScene(name, options);
    } catch (const std::exception& error) {
      std::printf("%s: %s\n", name.c_str(), error.what());
      ++refused;
    }
  }
  return refused > 0 ? 1 : 0;
}

}  // namespace
}  // namespace footfall::bench

int main(int count, char** arguments) { return footfall::bench::runAll(footfall::bench::read(count, arguments)); }

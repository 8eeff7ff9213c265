// What loops cost: steps of a robot with closed chains against steps of the same robot with its loops cut, in turns.
#include <benchmark/benchmark.h>

#include "footfall/run/simulation.hpp"
#include "footfall/terrain/terrain.hpp"
#include "thread_time.hpp"
#include "tools/source_dir.hpp"

namespace footfall::bench {
namespace {

constexpr int kSettle = 20000;       // steps until the robot stands still
constexpr int kStandingSteps = 50;   // of a turn
constexpr int kPushedSteps = 300;    // of a turn, after the push
constexpr double kPush = 0.18;       // step in base velocity, as in the other benchmarks [m/s]
constexpr double kStiffness = 2000;  // of springs in place of loops [N m/rad]
constexpr double kDamping = 20;      // the same [N m s/rad]

/// A robot on flat ground, held by springs.
class Stand {
 public:
  Stand(const Model& model, const Settings& settings, const Input& input, const JointSprings& springs)
      : model_(model),
        input_(input),
        springs_(springs),
        workspace_(model_, ground_, settings),
        state_(makeState(model_)) {}

  void start(const VectorXd& q, const VectorXd& nu) {
    state_ = makeState(model_);
    state_.q = q;
    state_.nu = nu;
  }
  void start(const State& state) { state_ = state; }
  const StepResult& step() {
    const StepResult& result = footfall::step(state_, input_, &springs_, workspace_);
    state_ = result.next;
    return result;
  }
  const State& state() const { return state_; }

 private:
  Model model_;
  Plane ground_;
  Input input_;
  JointSprings springs_;
  Workspace workspace_;
  State state_;
};

/// The robot of a scene as it is, and with its loops cut: springs then hold those joints that only loops held.
struct ClosedAndCut {
  explicit ClosedAndCut(Simulation simulation)
      : closed(simulation.model(), simulation.settings(), simulation.applied(), *simulation.springs()),
        cut(withoutLoops(simulation.model()), simulation.settings(), simulation.applied(), allHeld(simulation)) {
    closed.start(simulation.state());
    cut.start(simulation.state().q, simulation.state().nu);
    for (int k = 0; k < kSettle; ++k) cut.step();
  }

  static Model withoutLoops(Model model) {
    model.loops.clear();
    return model;
  }

  static JointSprings allHeld(Simulation& simulation) {
    JointSprings springs = *simulation.springs();
    for (int i = 0; i < springs.stiffness.size(); ++i) {
      if (springs.stiffness[i] > 0.0) continue;
      springs.stiffness[i] = kStiffness;
      springs.damping[i] = kDamping;
      springs.target[i] = simulation.state().q[7 + i];
    }
    return springs;
  }

  Stand closed, cut;
};

Simulation settled(const std::string& scene) {
  Simulation simulation(loadScene(sourceDir() + "/scenes/" + scene));
  for (int k = 0; k < kSettle; ++k) simulation.step();
  return simulation;
}

/// What tells whether the contact problems of both are alike.
struct Work {
  double contacts = 0.0, iterations = 0.0;
  void add(const StepResult& result) {
    contacts += static_cast<double>(result.contacts.size());
    iterations += result.iterations;
  }
};

/// Turns of `steps` steps of both, each from the same state with the base's velocity raised by `push`.
void compare(benchmark::State& run, const std::string& scene, int steps, double push) {
  ClosedAndCut robots(settled(scene));
  State closed = robots.closed.state(), cut = robots.cut.state();
  closed.nu[0] += push;
  cut.nu[0] += push;
  Work closed_work, cut_work;
  const auto turn = [&](Stand& robot, const State& start, Work& work) {
    robot.start(start);
    return secondsPerCall(steps, [&](int) { work.add(robot.step()); });
  };
  std::vector<double> closed_times, cut_times, ratios;
  for (auto _ : run) {
    closed_times.push_back(turn(robots.closed, closed, closed_work));
    cut_times.push_back(turn(robots.cut, cut, cut_work));
    ratios.push_back(closed_times.back() / cut_times.back());
    run.SetIterationTime(closed_times.back() * steps);
  }
  const double all_steps = steps * static_cast<double>(run.iterations());
  run.counters["closed_us"] = 1e6 * median(closed_times);
  run.counters["cut_us"] = 1e6 * median(cut_times);
  run.counters["closed_by_cut"] = median(ratios);
  run.counters["contacts"] = closed_work.contacts / all_steps;
  run.counters["cut_contacts"] = cut_work.contacts / all_steps;
  run.counters["iterations"] = closed_work.iterations / all_steps;
  run.counters["cut_iterations"] = cut_work.iterations / all_steps;
}

void closedStanding(benchmark::State& run, const std::string& scene) { compare(run, scene, kStandingSteps, 0.0); }
void closedPushed(benchmark::State& run, const std::string& scene) { compare(run, scene, kPushedSteps, kPush); }

#define FOOTFALL_CLOSED(function, name, scene) \
  BENCHMARK_CAPTURE(function, name, std::string(scene))->UseManualTime()->Iterations(400)->Unit(benchmark::kMicrosecond)

FOOTFALL_CLOSED(closedStanding, biped_rod_ankles, "biped_rod_ankles.yaml");
FOOTFALL_CLOSED(closedPushed, biped_rod_ankles, "biped_rod_ankles.yaml");
FOOTFALL_CLOSED(closedStanding, cassie, "cassie.yaml");

}  // namespace
}  // namespace footfall::bench

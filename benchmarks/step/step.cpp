// Whole steps and all terms of a contact problem, as multiples of Pinocchio's `aba` of the same robot. Both are
// measured in turns, a few dozen calls each, so that a busy machine slows both; the ratio is the median over the turns.
#include <benchmark/benchmark.h>

#include "dynamics/contact_terms.hpp"
#include "footfall/dynamics/batch_dynamics.hpp"
#include "footfall/run/simulation.hpp"
#include "pinocchio_reference.hpp"
#include "thread_time.hpp"
#include "tools/source_dir.hpp"

namespace footfall::bench {
namespace {

constexpr int kCallsPerTurn = 50;
constexpr double kPush = 0.18;     // step in base velocity, as in the comparison of the peers [m/s]
constexpr int kPushedSteps = 300;  // the time after it that is measured

/// Pinocchio's aba of a robot near a state.
class Unit {
 public:
  Unit(const Model& model, const State& state) : reference_(model) {
    reference_.setState(state.q, state.nu, VectorXd::Zero(model.nv()));
  }

  /// Seconds of one call, measured over a turn.
  double measure() {
    return secondsPerCall(kCallsPerTurn, [&](int) { benchmark::DoNotOptimize(reference_.aba()); });
  }

 private:
  PinocchioReference reference_;
};

/// Runs turns of aba and of `calls` calls of ours; `prepare` is not timed.
template <class Prepare, class Ours>
void compare(benchmark::State& run, Unit& unit, int calls, Prepare prepare, Ours ours, int robots = 1) {
  std::vector<double> own, aba, ratio;
  for (auto _ : run) {
    aba.push_back(unit.measure());
    prepare();
    const double seconds = secondsPerCall(calls, ours);
    run.SetIterationTime(calls * seconds);
    own.push_back(seconds / robots);
    ratio.push_back(own.back() / aba.back());
  }
  run.counters["us"] = 1e6 * median(own);
  run.counters["aba_us"] = 1e6 * median(aba);
  run.counters["x_aba"] = median(ratio);
}

void termsBy(benchmark::State& run, const std::string& engine_name, const std::string& scene) {
  const StandingRobot robot = standingRobot(scene);
  const auto engine = makeDynamics(engine_name, robot.model);
  engine->reserveContacts(static_cast<int>(robot.contacts.size()));
  ContactTerms terms(robot);
  Unit unit(robot.model, robot.states[0]);
  compare(
      run, unit, kCallsPerTurn, [] {},
      [&](int k) { benchmark::DoNotOptimize(terms.compute(*engine, robot.states[k % robot.states.size()])); });
}

void termsNative(benchmark::State& run, const std::string& scene) { termsBy(run, "native", scene); }
void termsPinocchio(benchmark::State& run, const std::string& scene) { termsBy(run, "pinocchio", scene); }

/// Eight robots in a pack; figures are for one of them.
void termsOfEight(benchmark::State& run, const std::string& scene) {
  const StandingRobot robot = standingRobot(scene);
  const Model& model = robot.model;
  const int rows = 3 * static_cast<int>(robot.contacts.size());
  BatchDynamics batch(model);
  BatchVector x(model.nv()), J(rows * model.nv()), bias(rows), G(rows * rows);
  const PackedStates packed(robot);
  Unit unit(model, robot.states[0]);
  compare(
      run, unit, kCallsPerTurn, [] {},
      [&](int) {
        batch.update(packed.q, packed.nu);
        batch.biasForces(x);
        batch.solveMass(x);
        batch.setContacts(robot.contacts);
        batch.contactJacobian(J);
        batch.contactBiasAcceleration(bias);
        batch.delassus(G);
        benchmark::DoNotOptimize(G.data());
      },
      BatchVector::kRobots);
}

Simulation settled(const std::string& scene) {
  Simulation simulation(loadScene(sourceDir() + "/scenes/" + scene));
  for (int k = 0; k < 2000; ++k) simulation.step();
  return simulation;
}

void stepStanding(benchmark::State& run, const std::string& scene) {
  Simulation simulation = settled(scene);
  Unit unit(simulation.model(), simulation.state());
  compare(
      run, unit, kCallsPerTurn, [] {}, [&](int) { benchmark::DoNotOptimize(simulation.step().residual); });
}

void stepPushed(benchmark::State& run, const std::string& scene) {
  Simulation simulation = settled(scene);
  State pushed = simulation.state();
  pushed.nu[0] += kPush;
  Unit unit(simulation.model(), simulation.state());
  compare(
      run, unit, kPushedSteps, [&] { simulation.setState(pushed); },
      [&](int) { benchmark::DoNotOptimize(simulation.step().residual); });
}

/// From the scene file to the first step taken.
void loadAndStart(benchmark::State& run, const std::string& scene) {
  for (auto _ : run) {
    Simulation simulation(loadScene(sourceDir() + "/scenes/" + scene));
    benchmark::DoNotOptimize(simulation.step().residual);
  }
}

#define FOOTFALL_COMPARE(function, name, scene) \
  BENCHMARK_CAPTURE(function, name, std::string(scene))->UseManualTime()->Iterations(400)->Unit(benchmark::kMicrosecond)

FOOTFALL_COMPARE(termsNative, icub, "icub.yaml");
FOOTFALL_COMPARE(termsPinocchio, icub, "icub.yaml");
FOOTFALL_COMPARE(termsOfEight, icub, "icub.yaml");
FOOTFALL_COMPARE(termsNative, anymal_c, "anymal_c.yaml");
FOOTFALL_COMPARE(termsPinocchio, anymal_c, "anymal_c.yaml");
FOOTFALL_COMPARE(termsOfEight, anymal_c, "anymal_c.yaml");
FOOTFALL_COMPARE(stepStanding, icub, "icub.yaml");
FOOTFALL_COMPARE(stepPushed, icub, "icub.yaml");
FOOTFALL_COMPARE(stepStanding, anymal_c, "anymal_c.yaml");
FOOTFALL_COMPARE(stepPushed, anymal_c, "anymal_c.yaml");
FOOTFALL_COMPARE(stepStanding, g1, "g1.yaml");
FOOTFALL_COMPARE(stepPushed, g1, "g1.yaml");
BENCHMARK_CAPTURE(loadAndStart, icub, std::string("icub.yaml"))->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace footfall::bench

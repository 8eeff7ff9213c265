// Timings of the native engine alone; ratios to other libraries are made where those are linked.
#include <benchmark/benchmark.h>

#include "contact_terms.hpp"
#include "footfall/dynamics/batch_dynamics.hpp"

namespace footfall::bench {
namespace {

/// The scenes that are measured, loaded once.
const StandingRobot& robotOf(const std::string& scene) {
  static std::map<std::string, StandingRobot> robots;
  const auto known = robots.find(scene);
  return known != robots.end() ? known->second : robots.emplace(scene, standingRobot(scene)).first->second;
}

void allTerms(benchmark::State& run, const std::string& scene) {
  const StandingRobot& robot = robotOf(scene);
  const auto engine = makeDynamics("native", robot.model);
  ContactTerms terms(robot);
  std::size_t i = 0;
  for (auto _ : run) benchmark::DoNotOptimize(terms.compute(*engine, robot.states[i++ % robot.states.size()]));
}

/// What a step of the simulation asks for.
void stepTerms(benchmark::State& run, const std::string& scene) {
  const StandingRobot& robot = robotOf(scene);
  const auto engine = makeDynamics("native", robot.model);
  const ContactLayout layout = ContactLayout::of(static_cast<int>(robot.contacts.size()));
  AlignedVector v(layout.rows()), G(layout.rows() * layout.rows());
  VectorXd x(robot.model.nv());
  std::size_t i = 0;
  for (auto _ : run) {
    const State& state = robot.states[i++ % robot.states.size()];
    engine->update(state.q, state.nu);
    engine->setContacts(robot.contacts);
    engine->biasForces(x);
    engine->solveMass(x);
    engine->contactVelocity(x, v.data());
    engine->delassus(G.data());
    engine->addContactImpulse(v.data(), x);
    engine->solveMass(x);
    benchmark::DoNotOptimize(x.data());
  }
}

void update(benchmark::State& run, const std::string& scene) {
  const StandingRobot& robot = robotOf(scene);
  const auto engine = makeDynamics("native", robot.model);
  std::size_t i = 0;
  for (auto _ : run) {
    const State& state = robot.states[i++ % robot.states.size()];
    engine->update(state.q, state.nu);
  }
}

/// One call of an engine that is already updated.
template <class Call>
void oneCall(benchmark::State& run, const std::string& scene, Call call) {
  const StandingRobot& robot = robotOf(scene);
  const auto engine = makeDynamics("native", robot.model);
  const ContactLayout layout = ContactLayout::of(static_cast<int>(robot.contacts.size()));
  AlignedVector contact_vector(layout.rows()), G(layout.rows() * layout.rows());
  VectorXd x = robot.states[0].nu;
  engine->update(robot.states[0].q, robot.states[0].nu);
  engine->setContacts(robot.contacts);
  for (auto _ : run) {
    call(*engine, robot, x, contact_vector.data(), G.data());
    benchmark::DoNotOptimize(x.data());
    benchmark::ClobberMemory();
  }
}

void updateVelocity(benchmark::State& run, const std::string& scene) {
  oneCall(run, scene,
          [](Dynamics& e, const StandingRobot& r, VectorXd&, double*, double*) { e.updateVelocity(r.states[1].nu); });
}
void setContacts(benchmark::State& run, const std::string& scene) {
  oneCall(run, scene,
          [](Dynamics& e, const StandingRobot& r, VectorXd&, double*, double*) { e.setContacts(r.contacts); });
}
void contactVelocity(benchmark::State& run, const std::string& scene) {
  oneCall(run, scene,
          [](Dynamics& e, const StandingRobot&, VectorXd& x, double* v, double*) { e.contactVelocity(x, v); });
}
void addContactImpulse(benchmark::State& run, const std::string& scene) {
  oneCall(run, scene,
          [](Dynamics& e, const StandingRobot&, VectorXd& x, double* v, double*) { e.addContactImpulse(v, x); });
}
void solveMass(benchmark::State& run, const std::string& scene) {
  oneCall(run, scene, [](Dynamics& e, const StandingRobot& r, VectorXd& x, double*, double*) {
    x = r.states[1].nu;
    e.solveMass(x);
  });
}
void delassus(benchmark::State& run, const std::string& scene) {
  oneCall(run, scene, [](Dynamics& e, const StandingRobot&, VectorXd&, double*, double* G) { e.delassus(G); });
}

/// All terms for eight robots in a pack; the time is that of one robot's share.
void allTermsOfEight(benchmark::State& run, const std::string& scene) {
  const StandingRobot& robot = robotOf(scene);
  const Model& model = robot.model;
  const int rows = 3 * static_cast<int>(robot.contacts.size());
  BatchDynamics batch(model);
  BatchVector x(model.nv()), J(rows * model.nv()), bias(rows), G(rows * rows);
  const PackedStates packed(robot);
  batch.setContacts(robot.contacts);
  for (auto _ : run) {
    batch.update(packed.q, packed.nu);
    batch.biasForces(x);
    batch.solveMass(x);
    batch.contactJacobian(J);
    batch.contactBiasAcceleration(bias);
    batch.delassus(G);
    benchmark::DoNotOptimize(G.data());
  }
  run.counters["per_robot"] = benchmark::Counter(static_cast<double>(run.iterations()) * BatchVector::kRobots,
                                                 benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

#define FOOTFALL_MEASURE(function)                             \
  BENCHMARK_CAPTURE(function, icub, std::string("icub.yaml")); \
  BENCHMARK_CAPTURE(function, anymal, std::string("anymal_c.yaml"))

FOOTFALL_MEASURE(allTerms);
FOOTFALL_MEASURE(allTermsOfEight);
FOOTFALL_MEASURE(stepTerms);
FOOTFALL_MEASURE(update);
FOOTFALL_MEASURE(updateVelocity);
FOOTFALL_MEASURE(setContacts);
FOOTFALL_MEASURE(contactVelocity);
FOOTFALL_MEASURE(addContactImpulse);
FOOTFALL_MEASURE(solveMass);
FOOTFALL_MEASURE(delassus);

}  // namespace
}  // namespace footfall::bench

BENCHMARK_MAIN();

#include "footfall/run/instrumented_simulation.hpp"

#include <fmt/format.h>

#include "footfall/base/error.hpp"

namespace footfall {

InstrumentedSimulation::InstrumentedSimulation(const Scene& scene)
    : simulation_(scene),
      sensors_(simulation_.model(), scene.sensors, simulation_.settings().step, scene.run.seed),
      sensor_state_(sensors_.makeState()) {}

void InstrumentedSimulation::setSensorState(const SensorState& state) {
  if (state.memory.size() != sensor_state_.memory.size())
    throw Error("state of the sensors", fmt::format("it holds {} numbers, the sensors need {}", state.memory.size(),
                                                    sensor_state_.memory.size()));
  sensor_state_ = state;
}

const StepResult& InstrumentedSimulation::step() {
  if (sensors_.channels().empty()) return simulation_.step();  // nobody needs a copy of the start
  start_ = simulation_.state();
  const StepResult& result = simulation_.step();
  if (result.status != SolveStatus::failed)
    sensors_.sample({start_, simulation_.applied().wrenches, result}, sensor_state_);
  return result;
}

}  // namespace footfall

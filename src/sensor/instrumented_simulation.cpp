#include "footfall/sensor/instrumented_simulation.hpp"

#include <fmt/format.h>

#include "footfall/base/error.hpp"

namespace footfall {

InstrumentedSimulation::InstrumentedSimulation(const Scene& scene)
    : simulation_(scene),
      sensors_(simulation_.model(), scene.sensors, simulation_.settings().step, scene.run.seed),
      sensor_state_(sensors_.makeState()) {
  wrenches_.reserve(scene.pushes.size());
}

void InstrumentedSimulation::setSensorState(const SensorState& state) {
  if (state.memory.size() != sensor_state_.memory.size())
    throw Error("state of the sensors", fmt::format("it holds {} numbers, the sensors need {}", state.memory.size(),
                                                    sensor_state_.memory.size()));
  sensor_state_ = state;
}

const StepResult& InstrumentedSimulation::step() {
  start_ = simulation_.state();
  gatherWrenches();
  const StepResult& result = simulation_.step();
  if (result.status != SolveStatus::failed) sensors_.sample({start_, wrenches_, result}, sensor_state_);
  return result;
}

/// What the user and the scene do to the robot during the step that comes.
void InstrumentedSimulation::gatherWrenches() {
  const Model& model = simulation_.model();
  wrenches_ = simulation_.input().wrenches;
  const double middle = start_.time + 0.5 * simulation_.settings().step;
  for (const ScenePush& push : simulation_.scene().pushes) {
    if (middle < push.start || middle >= push.start + push.duration) continue;
    const FrameIndex frame = model.frame(push.link);
    ExternalWrench wrench{model.frames[frame].link, model.frames[frame].X_LF.p, Vector6d::Zero(), frame};
    wrench.wrench_W << push.force, push.moment;
    wrenches_.push_back(wrench);
  }
}

}  // namespace footfall

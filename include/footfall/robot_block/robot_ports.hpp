#pragma once

#include "footfall/block/diagram.hpp"
#include "footfall/step/step.hpp"

namespace footfall {

// What passes through the function ports of the robot's blocks.

/// One step of the robot, for sensors: what acted, from where, and what came of it. Port type "footfall::RobotStep".
/// Good from the evaluation of the robot until the next one.
struct RobotStep {
  State start;  ///< the state that the step started from
  Input input;  ///< what acted during the step
  const StepResult* result = nullptr;
};

/// The state of a `Robot` block in a context: to look at, to save, to start from elsewhere. Throws Error when the block
/// is not a robot.
State& robotState(const Diagram& diagram, Context& context, const std::string& block);

}  // namespace footfall

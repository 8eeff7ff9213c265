#pragma once

#include "footfall/sensor/sensor_suite.hpp"
#include "sensor/link_motion.hpp"

namespace footfall {

/// What sensors look at: configuration and velocity at the start of a step, just after its impacts; forces and
/// accelerations are the means of the step that begins there, and have a place of their own in it.
struct Instant {
  const Model& model;
  const StepRecord& record;
  const VectorXd& nu;              ///< after impacts (nv)
  const TreeMotion& links;         ///< at the start; up to date only for sensors that need it
  const TreeMotion& forced_links;  ///< where forces belong (StepResult::q_forces), with accelerations; the same
};

}  // namespace footfall

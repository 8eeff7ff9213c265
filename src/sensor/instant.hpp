#pragma once

#include "footfall/sensor/sensor_suite.hpp"
#include "sensor/link_motion.hpp"

namespace footfall {

/// The instant that sensors look at: the start of a step, just after its impacts. Forces and accelerations are the
/// means of the step that begins there.
struct Instant {
  const Model& model;
  const StepRecord& record;
  const VectorXd& nu;       ///< after impacts (nv)
  const TreeMotion& links;  ///< up to date only for sensors that need it
};

}  // namespace footfall

#pragma once

#include "footfall/diagram_file/diagram_file.hpp"

namespace footfall {

/// Steps from one row of a log to the next. Throws Error where run.log_period is no whole number of steps.
/// @param step of the simulation [s]
long long stepsPerRow(const SceneRun& run, double step);

}  // namespace footfall

#pragma once

namespace footfall {

/// Steps from one row of a log to the next. Throws Error where run.log_period is no whole number of steps.
/// @param period run.log_period; 0: every step [s]
/// @param step of the simulation [s]
long long stepsPerRow(double period, double step);

}  // namespace footfall

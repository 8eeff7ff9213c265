#pragma once

#include <cmath>
#include <cstdint>

namespace footfall {

/// When a number of steps of length dt have passed [s]: a product, because a sum of that many roundings is late or
/// early. Where dt is one over a whole number (1 ms), it is the very number that a program would write: 2000 steps of
/// 1 ms are 2.0, and `while (time < 2.0)` makes 2000 steps.
inline double stepTime(std::int64_t steps, double dt) {
  const double rate = std::round(1.0 / dt);
  const auto count = static_cast<double>(steps);
  return 1.0 / rate == dt ? count / rate : count * dt;
}

/// The clock of a run: it counts steps. Part of the state, beside the time.
struct StepCount {
  double start = 0.0;      ///< time of step 0 [s]
  std::int64_t steps = 0;  ///< made since then

  /// Counts one more step of length dt from `time`, and returns its end. A time that is not that of the count (it was
  /// set, or the length of steps has changed) is where the count begins anew.
  double next(double time, double dt) {
    if (time != start + stepTime(steps, dt)) restart(time, dt);
    ++steps;
    return start + stepTime(steps, dt);
  }

 private:
  /// A whole number of steps from zero, as a log has it, is counted from there.
  void restart(double time, double dt) {
    constexpr double kMostSteps = 9007199254740992.0;  // 2^53: above it, doubles skip whole numbers
    const double passed = std::round(time / dt);
    const bool countable = std::abs(passed) < kMostSteps;
    steps = countable ? static_cast<std::int64_t>(passed) : 0;
    start = 0.0;
    if (countable && time == stepTime(steps, dt)) return;
    start = time;
    steps = 0;
  }
};

}  // namespace footfall

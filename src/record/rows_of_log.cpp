#include "footfall/record/internal/rows_of_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "footfall/base/error.hpp"

namespace footfall {

long long stepsPerRow(const SceneRun& run, double step) {
  const double period = run.log_period;
  constexpr double kRounding = 1e-9;  // of a quotient of two numbers that were read from a file
  if (period == 0.0) return 1;
  const double steps = period / step, whole = std::max(1.0, std::round(steps));
  if (std::abs(steps - whole) <= kRounding * whole) return static_cast<long long>(whole);
  throw Error(run.where, fmt::format("run.log_period is {} s, expected a whole number of steps of {} s", period, step),
              fmt::format("the nearest that fits is {:.6g} s", whole * step));
}

}  // namespace footfall

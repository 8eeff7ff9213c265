#include "plot/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace footfall {
namespace {

double roundStep(double raw) {
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  const double share = (1.0 - 1e-9) * raw / power;  // rounding must not make a step twice as long
  return power * (share <= 1.0 ? 1.0 : share <= 2.0 ? 2.0 : share <= 5.0 ? 5.0 : 10.0);
}

std::string label(double value, double step) {
  const double largest = std::max(std::abs(value), step);
  if (largest >= 1e6 || step < 1e-6) return fmt::format("{:.3g}", value);
  const int digits = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  return fmt::format("{:.{}f}", value, digits);
}

}  // namespace

Ticks makeTicks(double low, double high, int wanted) {
  Ticks ticks;
  if (!(high > low)) return ticks;
  const double step = roundStep((high - low) / wanted);
  const double patience = 1e-9 * step;
  for (double k = std::ceil((low - patience) / step); k * step <= high + patience; ++k) {
    const double value = k == 0.0 ? 0.0 : k * step;
    ticks.values.push_back(value);
    ticks.labels.push_back(label(value, step));
  }
  return ticks;
}

}  // namespace footfall

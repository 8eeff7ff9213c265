#include "scene/time_law_setup.hpp"

namespace footfall {

TimeFunction buildTimeFunction(const SceneTimeLaw& law) {
  if (law.kind == "sine") return TimeFunction::sine({law.amplitude, law.frequency, law.phase});
  if (law.kind == "speed") return TimeFunction::linear(0.0, law.speed);
  if (law.kind == "formula") return TimeFunction::formula(law.formula);
  std::vector<TimePoint> points;
  for (const auto& [time, value] : law.points) points.push_back({time, value});
  if (law.kind == "rates") return TimeFunction::fromRates(points);
  return law.kind == "table" ? TimeFunction::table(points) : TimeFunction::smoothTable(points);
}

}  // namespace footfall

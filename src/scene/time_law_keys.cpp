#include "scene/time_law_keys.hpp"

namespace footfall {

void chooseLaw(const SceneValue& value, const std::string& kind, SceneTimeLaw& law) {
  if (!law.kind.empty())
    throw value.error(fmt::format("is given beside '{}'", law.kind), "one law is enough: remove one of them");
  law.kind = kind;
}

std::vector<std::pair<double, double>> readTimePoints(const SceneValue& value, Quantity quantity) {
  std::vector<std::pair<double, double>> points;
  for (const SceneValue& row : value.items()) {
    const std::vector<SceneValue> pair = row.items();
    if (pair.size() != 2) throw row.error(fmt::format("has {} entries, expected [time, value]", pair.size()));
    const double time = pair[0].number(Quantity::time);
    if (!points.empty() && !(time > points.back().first))
      throw pair[0].error(
          fmt::format("is {:.6g}, expected more than the {:.6g} s of the row before", time, points.back().first));
    points.emplace_back(time, pair[1].number(quantity));
  }
  if (points.empty()) throw value.error("is empty, expected rows [time, value]");
  return points;
}

std::string timePointsSchema(Quantity quantity) {
  return listSchema(fmt::format(R"("type": "array", "minItems": 2, "maxItems": 2, "items": [{{{}}}, {{{}}}])",
                                numberSchema(Quantity::time), numberSchema(quantity))) +
         ", \"minItems\": 1";
}

FieldTable<SceneTimeLaw> sineFields(Quantity value) {
  return {
      required(numberField("amplitude", &SceneTimeLaw::amplitude, value, {}, "largest value")),
      required(numberField("frequency", &SceneTimeLaw::frequency, Quantity::frequency, atLeast(0.0), "[Hz]")),
      numberField("phase", &SceneTimeLaw::phase, Quantity::angle, {}, "at t = 0 [rad]"),
  };
}

}  // namespace footfall

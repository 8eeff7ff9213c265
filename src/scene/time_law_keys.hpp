#pragma once

#include <fmt/format.h>

#include "footfall/keys/internal/scene_field.hpp"
#include "footfall/scene/scene.hpp"

namespace footfall {

/// Two are as bad as none: a law is given by exactly one key.
void chooseLaw(const SceneValue& value, const std::string& kind, SceneTimeLaw& law);

/// Rows of time and value.
std::vector<std::pair<double, double>> readTimePoints(const SceneValue& value, Quantity quantity);
std::string timePointsSchema(Quantity quantity);

FieldTable<SceneTimeLaw> sineFields(Quantity value);

/// The keys that say how a distance or an angle changes over time, for a struct with a member `law`.
template <class S>
FieldTable<S> timeLawFields(Quantity value_quantity, Quantity rate_quantity) {
  const auto points = [](const std::string& kind, Quantity quantity, std::string help) -> Field<S> {
    return {kind, std::move(help), timePointsSchema(quantity), [=](const SceneValue& value, S& section) {
              chooseLaw(value, kind, section.law);
              section.law.points = readTimePoints(value, quantity);
            }};
  };
  const FieldTable<SceneTimeLaw> sine = sineFields(value_quantity);
  return {
      {"speed", "constant, from the start on", numberSchema(rate_quantity),
       [=](const SceneValue& value, S& section) {
         chooseLaw(value, "speed", section.law);
         section.law.speed = value.number(rate_quantity);
       }},
      {"sine", "amplitude · sin(2π frequency t + phase); a phase of 90 deg starts at rest", sectionSchema(sine),
       [=](const SceneValue& value, S& section) {
         chooseLaw(value, "sine", section.law);
         readSection(value, sine, section.law);
       }},
      {"formula", "of the value in t, for example 0.3*sin(2*pi*t)*exp(-t), in rad or m", R"("type": "string")",
       [=](const SceneValue& value, S& section) {
         chooseLaw(value, "formula", section.law);
         section.law.formula = value.text();
       }},
      points("table", value_quantity, "rows [time, value], straight lines between them"),
      points("smooth_table", value_quantity, "rows [time, value], a smooth curve through them that rests at both ends"),
      points("rates", rate_quantity, "rows [time, speed], straight lines between them; the value starts at zero"),
  };
}

}  // namespace footfall

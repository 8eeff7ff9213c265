#include "scene/actuator_keys.hpp"

#include <fmt/format.h>

namespace footfall {
namespace {

/// One number for all motors, or a list with one for each.
Field<SceneActuator> motorsField(std::string name, std::vector<double> SceneActuator::*member, Quantity quantity,
                                 Range range, std::string help) {
  const std::string one = numberSchema(quantity, range);
  return {std::move(name), std::move(help), fmt::format(R"("anyOf": [{{{}}}, {{{}}}])", one, listSchema(one)),
          [=](const SceneValue& value, SceneActuator& actuator) {
            std::vector<double>& numbers = actuator.*member;
            if (!value.isList()) {
              numbers = {readNumber(value, quantity, range)};
              return;
            }
            for (const SceneValue& item : value.items()) numbers.push_back(readNumber(item, quantity, range));
            if (numbers.empty()) throw value.error("is empty, expected a number, or one for each motor");
          }};
}

Field<SceneActuator> drivenJointsField() {
  return {"joints", "joints that these motors drive", listSchema(R"("type": "string")"),
          [](const SceneValue& value, SceneActuator& actuator) {
            actuator.joints = readTexts(value);
            if (actuator.joints.empty()) throw value.error("is empty, expected at least one joint");
          }};
}

Field<SceneActuator> transmissionField() {
  return {"transmission",
          "rows of the matrix T with joint speeds = T · motor speeds, for motors that move joints together; default: "
          "one motor for each joint",
          listSchema(listSchema(numberSchema(Quantity::plain))), [](const SceneValue& value, SceneActuator& actuator) {
            for (const SceneValue& row : value.items()) {
              std::vector<double>& numbers = actuator.transmission.emplace_back();
              for (const SceneValue& entry : row.items()) numbers.push_back(entry.number(Quantity::plain));
            }
            if (actuator.transmission.empty()) throw value.error("is empty, expected a row for each joint");
          }};
}

}  // namespace

FieldTable<SceneActuator> actuatorFields() {
  using enum Quantity;
  return {
      required(drivenJointsField()),
      transmissionField(),
      motorsField("gear_ratio", &SceneActuator::gear_ratio, plain, atLeast(1.0),
                  "turns of the rotor for one turn behind the gear: 100, not 0.01"),
      motorsField("rotor_inertia", &SceneActuator::rotor_inertia, plain, atLeast(0.0), "before the gear [kg m²]"),
      motorsField("natural_frequency", &SceneActuator::natural_frequency, angular_frequency, positive(),
                  "of the torque's answer to a command; it starts with what `hold` and `torques` ask for; default: it "
                  "follows at "
                  "once [rad/s]"),
      motorsField("damping_ratio", &SceneActuator::damping_ratio, plain, atLeast(0.0),
                  "of the torque's answer; default: 1, no overshoot"),
      motorsField("max_torque", &SceneActuator::max_torque, moment, positive(), "behind the gear [N m]"),
      motorsField("max_speed", &SceneActuator::max_speed, turn_rate, positive(), "behind the gear [rad/s]"),
      motorsField("viscous", &SceneActuator::viscous, plain, atLeast(0.0), "friction, behind the gear [N m s/rad]"),
      motorsField("coulomb", &SceneActuator::coulomb, moment, atLeast(0.0), "dry friction, behind the gear [N m]"),
  };
}

void checkActuatorKeys(const SceneValue& value, SceneActuator& /*actuator*/) {
  if (value.has("damping_ratio") && !value.has("natural_frequency"))
    throw value.keyError("damping_ratio", "is given without a natural_frequency: the torque follows at once",
                         "give both, or none");
}

void checkActuator(const SceneActuator& actuator, std::size_t index) {
  const std::size_t joints = actuator.joints.size();
  const auto expectOneOrAll = [&](const char* key, const std::vector<double>& numbers) {
    if (numbers.size() > 1 && numbers.size() != joints)
      throw Error(actuator.where, fmt::format("actuators.{}.{} has {} entries, expected one for each of the {} motors",
                                              index, key, numbers.size(), joints));
  };
  expectOneOrAll("gear_ratio", actuator.gear_ratio);
  expectOneOrAll("rotor_inertia", actuator.rotor_inertia);
  expectOneOrAll("natural_frequency", actuator.natural_frequency);
  expectOneOrAll("damping_ratio", actuator.damping_ratio);
  expectOneOrAll("max_torque", actuator.max_torque);
  expectOneOrAll("max_speed", actuator.max_speed);
  expectOneOrAll("viscous", actuator.viscous);
  expectOneOrAll("coulomb", actuator.coulomb);
  if (actuator.transmission.empty()) return;
  bool square = actuator.transmission.size() == joints;
  for (const std::vector<double>& row : actuator.transmission) square = square && row.size() == joints;
  if (!square)
    throw Error(actuator.where,
                fmt::format("actuators.{}.transmission is not a matrix of {} × {} numbers", index, joints, joints),
                "it has a row for each joint and a column for each motor, and as many motors as joints");
}

}  // namespace footfall

#include "scene/prescribed_keys.hpp"

#include <fmt/format.h>

#include "scene/joint_units.hpp"
#include "scene/time_law_keys.hpp"

namespace footfall {

FieldTable<ScenePrescribed> prescribedFields() {
  FieldTable<ScenePrescribed> fields = {
      required(textField("joint", &ScenePrescribed::joint, "that follows the motion, whatever torque it takes")),
      withJointUnits(
          numberField("offset", &ScenePrescribed::offset, Quantity::position, {}, "added to the law [rad or m]")),
  };
  for (Field<ScenePrescribed>& field : timeLawFields<ScenePrescribed>(Quantity::position, Quantity::joint_rate))
    fields.push_back(withJointUnits(std::move(field)));
  return fields;
}

void checkPrescribed(const ScenePrescribed& prescribed, std::size_t index) {
  if (prescribed.law.kind.empty() && prescribed.offset != 0.0)
    throw Error(prescribed.where, fmt::format("prescribed.{} has an 'offset', but no law to add it to", index),
                "a joint that stays where it is gets its place from robot.initial; a law is one of speed, sine, "
                "formula, table, smooth_table, rates");
}

}  // namespace footfall

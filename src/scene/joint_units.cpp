#include "scene/joint_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "footfall/base/text_number.hpp"
#include "scene/body_setup.hpp"

namespace footfall {
namespace {

bool reads(const std::string& text, Quantity quantity) {
  try {
    parseQuantity(text, quantity);
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

void check(const SceneJointUnit& unit, const std::string& joint, const Model& model) {
  const auto dof =
      std::find_if(model.dofs.begin(), model.dofs.end(), [&](const Dof& known) { return known.name == joint; });
  if (dof == model.dofs.end()) return;  // locked, or told by those who look for it
  const bool slides = dof->kind == JointKind::prismatic;
  if (slides != unit.of_angle) return;
  throw Error(unit.where,
              fmt::format("{} is '{}', but the joint '{}' {}", unit.key, unit.text, joint, slides ? "slides" : "turns"),
              slides ? "lengths are in m, cm or mm, speeds in m/s or km/h"
                     : "angles are in rad or deg, speeds in rad/s, deg/s or rpm");
}

}  // namespace

void noteJointUnits(const SceneValue& value, const std::string& name, std::vector<SceneJointUnit>& units) {
  if (value.isMap())
    for (const auto& [key, entry] : value.entries())
      if (key != "phase") noteJointUnits(entry, key, units);  // an angle, whatever the joint does
  if (value.isList())
    for (const SceneValue& item : value.items()) noteJointUnits(item, name, units);
  if (!value.isText() || parseNumber(value.quotedText())) return;
  const std::string text = value.quotedText();
  const bool of_angle = reads(text, Quantity::angle) || reads(text, Quantity::turn_rate);
  const bool of_length = reads(text, Quantity::length) || reads(text, Quantity::speed);
  if (of_angle != of_length) units.push_back({value.where(), value.path(), name, text, of_angle});
}

void checkJointUnits(const Scene& scene, const Model& model) {
  for (const std::vector<SceneJointUnit>* units : {&scene.robot.units, &scene.hold.units})
    for (const SceneJointUnit& unit : *units) check(unit, unit.name, model);
  for (const ScenePrescribed& prescribed : scene.prescribed)
    for (const SceneJointUnit& unit : prescribed.units) check(unit, prescribed.joint, model);
  for (const BodyCopy& body : bodiesOf(scene))
    for (const SceneJointUnit& unit : body.entry->units) check(unit, body.name + "/" + unit.name, model);
}

}  // namespace footfall

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "footfall/keys/internal/scene_field.hpp"
#include "footfall/model/model.hpp"
#include "footfall/scene/scene.hpp"

namespace footfall {

/// Notes the numbers of a value, and of all inside of it, that are given with the unit of an angle or a length.
void noteJointUnits(const SceneValue& value, const std::string& name, std::vector<SceneJointUnit>& units);

/// A field of positions or speeds of joints, whose units are looked at when the joints are known.
template <class S>
Field<S> withJointUnits(Field<S> field) {
  field.read = [read = std::move(field.read)](const SceneValue& value, S& section) {
    read(value, section);
    noteJointUnits(value, "", section.units);
  };
  return field;
}

/// Throws Error where the scene gives a joint that turns a length, or one that slides an angle.
void checkJointUnits(const Scene& scene, const Model& model);

}  // namespace footfall

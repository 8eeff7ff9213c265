#pragma once

#include "footfall/keys/internal/scene_field.hpp"
#include "footfall/scene/scene.hpp"

namespace footfall {

/// The keys of an entry of the section `actuators`.
FieldTable<SceneActuator> actuatorFields();

/// Refuses keys that would say nothing beside the others.
void checkActuatorKeys(const SceneValue& value, SceneActuator& actuator);

/// Checks that need more than one key of an entry; `index` is its number in the list.
void checkActuator(const SceneActuator& actuator, std::size_t index);

}  // namespace footfall

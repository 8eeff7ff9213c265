#pragma once

#include "footfall/keys/internal/scene_field.hpp"
#include "footfall/scene/scene.hpp"

namespace footfall {

/// The keys of an entry of the section `springs`.
FieldTable<SceneSpring> springFields();

/// Refuses keys that would say nothing beside the others.
void checkSpringKeys(const SceneValue& value, SceneSpring& spring);

/// Checks that need more than one key of an entry; `index` is its number in the list.
void checkSpring(const SceneSpring& spring, std::size_t index);

}  // namespace footfall

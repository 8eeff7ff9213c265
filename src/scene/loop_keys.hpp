#pragma once

#include "footfall/keys/internal/scene_field.hpp"
#include "footfall/scene/scene.hpp"

namespace footfall {

/// The keys of an entry of the section `loops`.
FieldTable<SceneLoop> loopFields();

/// Refuses keys that would say nothing beside the others.
void checkLoopKeys(const SceneValue& value, SceneLoop& loop);

/// Checks that need more than one key of an entry; `index` is its number in the list.
void checkLoop(const SceneLoop& loop, std::size_t index);

}  // namespace footfall

#pragma once

#include "footfall/keys/internal/scene_field.hpp"
#include "footfall/scene/scene.hpp"

namespace footfall {

/// The keys of an entry of the section `bodies`.
FieldTable<SceneBody> bodyFields();

/// Refuses keys that would say nothing beside the others.
void checkBodyKeys(const SceneValue& value, SceneBody& body);

/// The keys of the section `collisions`.
FieldTable<SceneCollisions> collisionFields();

/// Checks that need more than one key, and that names are given once.
void checkBodies(const Scene& scene);

}  // namespace footfall

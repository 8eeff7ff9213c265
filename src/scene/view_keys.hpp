#pragma once

#include "footfall/keys/internal/scene_field.hpp"
#include "footfall/scene/scene.hpp"

namespace footfall {

/// The keys of the section `view`.
FieldTable<SceneView> viewFields();

/// Checks that need more than one key.
void checkView(const SceneView& view);

}  // namespace footfall

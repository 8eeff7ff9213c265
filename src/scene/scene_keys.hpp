#pragma once

#include "footfall/keys/internal/scene_field.hpp"
#include "footfall/scene/scene.hpp"

namespace footfall {

/// Every key of a scene file.
const FieldTable<Scene>& sceneFields();

}  // namespace footfall

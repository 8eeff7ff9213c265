#pragma once

#include "model_io/scene_field.hpp"

namespace footfall {

/// Every key of a scene file.
const FieldTable<Scene>& sceneFields();

}  // namespace footfall

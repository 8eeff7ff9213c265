#pragma once

#include "footfall/keys/internal/scene_field.hpp"
#include "footfall/scene/scene.hpp"

namespace footfall {

FieldTable<ScenePrescribed> prescribedFields();

/// Checks that need more than one key.
void checkPrescribed(const ScenePrescribed& prescribed, std::size_t index);

}  // namespace footfall

#pragma once

#include "model_io/scene_field.hpp"

namespace footfall {

FieldTable<ScenePrescribed> prescribedFields();

/// Checks that need more than one key.
void checkPrescribed(const ScenePrescribed& prescribed, std::size_t index);

}  // namespace footfall

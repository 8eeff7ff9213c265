#pragma once

#include "model_io/scene_field.hpp"

namespace footfall {

/// The keys of the section `view`.
FieldTable<SceneView> viewFields();

/// Checks that need more than one key.
void checkView(const SceneView& view);

}  // namespace footfall

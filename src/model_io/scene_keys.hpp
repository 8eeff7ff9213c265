#pragma once

#include "model_io/scene_field.hpp"

namespace footfall {

/// Every key of a scene file.
const FieldTable<Scene>& sceneFields();

/// The keys of the section `run`.
FieldTable<SceneRun> runFields();

}  // namespace footfall

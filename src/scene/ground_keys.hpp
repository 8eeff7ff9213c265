#pragma once

#include "footfall/keys/internal/scene_field.hpp"
#include "footfall/scene/scene.hpp"

namespace footfall {

/// The key `ground`: one surface, or a list of them.
Field<Scene> groundField();

}  // namespace footfall

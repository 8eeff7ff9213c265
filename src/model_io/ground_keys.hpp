#pragma once

#include "model_io/scene_field.hpp"

namespace footfall {

/// The key `ground`: one surface, or a list of them.
Field<Scene> groundField();

}  // namespace footfall

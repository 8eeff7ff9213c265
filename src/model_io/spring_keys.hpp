#pragma once

#include "footfall/model_io/scene.hpp"
#include "model_io/scene_field.hpp"

namespace footfall {

/// The keys of an entry of the section `springs`.
FieldTable<SceneSpring> springFields();

/// Checks that need more than one key of an entry; `index` is its number in the list.
void checkSpring(const SceneSpring& spring, std::size_t index);

}  // namespace footfall

#pragma once

#include "footfall/scene/scene.hpp"
#include "footfall/terrain/time_function.hpp"

namespace footfall {

TimeFunction buildTimeFunction(const SceneTimeLaw& law);

}  // namespace footfall

#pragma once

#include "footfall/model_io/scene.hpp"
#include "footfall/terrain/time_function.hpp"

namespace footfall {

TimeFunction buildTimeFunction(const SceneTimeLaw& law);

}  // namespace footfall

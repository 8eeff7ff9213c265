#pragma once

#include <string>

#include "footfall/diagram_file/scene_diagram.hpp"

namespace footfall {

/// A value as it would be written on one line: "[l_sole, r_sole]".
std::string textOf(const SceneTree& tree);

}  // namespace footfall

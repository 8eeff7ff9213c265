#pragma once

#include "model_io/urdf_file.hpp"

namespace footfall {

/// Whether the first element of a text is <sdf>.
bool isSdf(const std::string& text);

/// What an SDF file with one model says, in the words of URDF: links at their poses, joints that turn, slide or are
/// fixed, shapes. A joint whose child has a joint already becomes a loop. Motors, gearboxes, sensors and plug-ins are
/// not read.
UrdfFile parseSdfFile(const std::string& text, const std::string& source, std::vector<Warning>& warnings);

}  // namespace footfall

#pragma once

#include "robot_file/urdf_file.hpp"

namespace footfall {

/// Whether the first element of a text is <sdf>.
bool isSdf(const std::string& text);

/// What one model of an SDF file says, in the words of URDF: links at their poses, joints that turn, slide or are
/// fixed, shapes. A joint whose child has a joint already becomes a loop; joints to the world start at a link `world`
/// without mass. Motors, sensors and plug-ins are not read, nor where a world puts the model.
/// @param name of the model; empty: the only one, or the only one of a world that is not static
UrdfFile parseSdfFile(const std::string& text, const std::string& source, const std::string& name,
                      std::vector<Warning>& warnings);

}  // namespace footfall

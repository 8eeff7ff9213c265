#pragma once

#include <string>

#include "footfall/log/log.hpp"
#include "footfall/robot_file/urdf.hpp"
#include "footfall/scene/scene.hpp"

namespace footfall::record {

/// Puts into a log what the run was made from: the scene as `scene.yaml`, the robot as `model.urdf` or `model.sdf`,
/// height fields, and if wanted meshes, which are called what the robot's file calls them.
void attachRunFiles(Log& log, const Scene& scene, const LoadedModel& robot, bool with_meshes);

/// By the ending of a file's name; "application/octet-stream" when it says nothing.
std::string mediaType(const std::string& path);

}  // namespace footfall::record

#pragma once

#include <string>
#include <vector>

#include "archive/zip_file.hpp"
#include "footfall/scene/scene.hpp"

namespace footfall::fmu {

/// The files that a scene needs to be loaded from a folder that has nothing else: the scene itself, the robot without
/// what only eyes need, the meshes that touch the ground, height fields; and the overrides that make the scene find
/// them.
std::vector<ZipEntry> bundleScene(const std::string& scene_path, const std::vector<SceneOverride>& overrides);

}  // namespace footfall::fmu

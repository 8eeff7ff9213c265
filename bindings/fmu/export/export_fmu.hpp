#pragma once

#include <string>
#include <vector>

#include "footfall/scene/scene.hpp"

namespace footfall::fmu {

enum class FmiVersion { v2, v3 };

/// Writes a co-simulation FMU of a scene that needs nothing but itself. Throws Error for a scene that cannot be carried
/// in one, and when this build has no library for FMUs.
void exportFmu(const std::string& scene_path, const std::vector<SceneOverride>& overrides, FmiVersion version,
               const std::string& fmu_path);

}  // namespace footfall::fmu

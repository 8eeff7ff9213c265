#pragma once

#include <string>
#include <vector>

#include "footfall/scene/scene.hpp"
#include "footfall/step/step.hpp"

namespace footfall {

/// The robot file of a scene, with the joints that the scene keeps.
LoadedModel loadRobot(const Scene& scene);

/// The robot of a scene with its contact candidates; what was odd about the file goes into `warnings`.
Model buildModel(const Scene& scene, std::vector<std::string>& warnings);

Settings buildSettings(const ScenePhysics& physics);

/// The state that the scene starts from; throws Error when the robot starts inside the ground.
State buildState(const Scene& scene, const Model& model, const Terrain& terrain, Dynamics& dynamics);

}  // namespace footfall

#pragma once

#include <string>
#include <vector>

#include "footfall/dynamics/dynamics.hpp"
#include "footfall/model/state.hpp"
#include "footfall/scene/scene.hpp"

namespace footfall {

/// Adds the springs of the scene to the model; throws Error with the place in the scene for frames that are not known.
/// Those without a rest length are at rest in the state `start`.
void addPointSprings(const std::vector<SceneSpring>& springs, const State& start, Model& model);

/// Springs that are too stiff for the step: they act as they are at one instant of it, and so must not turn around
/// within it. One warning for each; the engine is at the start.
std::vector<std::string> springsTooStiff(const Scene& scene, const Model& model, const RobotDynamics& dynamics);

}  // namespace footfall

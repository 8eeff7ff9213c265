#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "footfall/run/robot_run.hpp"
#include "studio/server/checkpoints.hpp"
#include "studio/server/live_run.hpp"

namespace footfall::studio {

/// A scene for a live view: every step has a row.
Scene loadLiveScene(const std::string& path, const std::vector<SceneOverride>& overrides);

/// What can be changed while it runs: keys of the scene with their values, and the gain of the posture.
/// @param gain not-a-number: nothing holds the posture
nlohmann::json parametersOf(const Scene& scene, double gain);

/// Where each joint is held, and within which limits; null for joints that nothing holds, or no springs of a posture.
nlohmann::json targetsOf(const LiveRun& run);

/// What is other than in the file: [{"key": "ground.friction", "value": "0.2"}, …]. @param given by the command line
nlohmann::json changesJson(const SceneChanges& changes, const std::vector<SceneOverride>& given);

/// The scene file with the changes put in. @param scene that was made of both
std::string changedSceneText(const std::string& path, const SceneChanges& changes, const Scene& scene);

/// The state of `now` for `changed`, in which a value of the scene is another. When a plane got another incline the
/// robot is carried along with it: it keeps its place and its motion relative to the ground.
State carriedAlong(const RobotRun& now, const RobotRun& changed);

/// The scene with the springs that hold its posture made stiffer by a factor; their damping ratio stays.
Scene withGain(Scene scene, double gain);

}  // namespace footfall::studio

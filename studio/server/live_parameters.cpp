#include "studio/server/live_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "footfall/base/error.hpp"
#include "footfall/run/simulation.hpp"

namespace footfall::studio {
namespace {

using nlohmann::json;

Pose planePose(const SceneGround& ground) {
  const Eigen::AngleAxisd turn(ground.heading, Vector3d::UnitZ()), lean(ground.incline, Vector3d::UnitY());
  return {(turn * lean * turn.inverse()).toRotationMatrix(), ground.point};
}

bool samePose(const Pose& a, const Pose& b) { return a.R == b.R && a.p == b.p; }

/// Keys and values come from a page: in a comment they stay a comment.
std::string oneLine(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c >= 0x7f; }, ' ');
  return text;
}

/// From 0 to `high`.
json slider(const std::string& key, const std::string& label, const char* unit, double value, double high) {
  return {{"key", key}, {"label", label}, {"unit", unit}, {"value", value}, {"low", 0.0}, {"high", high}};
}

/// @param key in front of those of this ground
/// @param which is said behind the names of its parameters
void addGround(const SceneGround& ground, const std::string& key, const std::string& which, json& parameters) {
  parameters.push_back(slider(key + "friction", "friction" + which, "-", ground.friction, 1.5));
  parameters.push_back(slider(key + "restitution", "restitution" + which, "-", ground.restitution, 1.0));
  if (ground.shape == "plane")
    parameters.push_back(
        slider(key + "incline", "incline" + which, "deg", ground.incline * 180.0 / std::numbers::pi, 45.0));
}

}  // namespace

Scene loadLiveScene(const std::string& path, const std::vector<SceneOverride>& overrides) {
  if (!isSceneFile(path))
    throw Error(path, "it is a diagram without a robot: there is nothing to see",
                "`footfall diagram` draws it, `footfall run --log` writes its signals down");
  Scene scene = loadScene(path, overrides);
  scene.run.log_period = 0.0;
  return scene;
}

json parametersOf(const Scene& scene, double gain) {
  json parameters = json::array();
  addGround(scene.ground, scene.more_ground.empty() ? "ground." : "ground.0.", "", parameters);
  for (std::size_t i = 0; i < scene.more_ground.size(); ++i)
    addGround(scene.more_ground[i], fmt::format("ground.{}.", i + 1),
              fmt::format(", {} {}", scene.more_ground[i].shape, i + 1), parameters);
  if (std::isnan(gain))
    parameters.push_back({{"label", "gain"}, {"refused", "this scene holds no posture"}});
  else
    parameters.push_back(slider("gain", "gain", "×", gain, 4.0));
  return parameters;
}

json targetsOf(const LiveRun& run) {
  json targets = json::array();
  const JointSprings* springs = run.holdsPosture() ? run.robot().posture() : nullptr;
  const Model& model = run.robot().model();
  for (int i = 0; i < model.jointDofs(); ++i)
    targets.push_back(springs != nullptr && springs->stiffness[i] > 0.0 ? json(springs->target[i]) : json());
  return targets;
}

json changesJson(const SceneChanges& changes, const std::vector<SceneOverride>& given) {
  json list = json::array();
  for (const auto& [key, value] : changes.overrides) {
    const bool by_page = std::find(given.begin(), given.end(), SceneOverride(key, value)) == given.end();
    list.push_back({{"key", key}, {"value", value}, {"page", by_page}});
  }
  if (!changes.diagram.empty()) list.push_back({{"key", "diagram"}, {"value", "as drawn"}, {"page", true}});
  if (changes.gain != 1.0)
    list.push_back({{"key", "gain"}, {"value", fmt::format("{}", changes.gain)}, {"page", true}});
  return list;
}

std::string changedSceneText(const std::string& path, const SceneChanges& changes, const Scene& scene) {
  std::vector<SceneOverride> overrides = changes.overrides;
  if (changes.gain != 1.0)
    for (const auto& [section, gains] : {std::pair("joint_stiffness", &scene.hold.joint_stiffness),
                                         std::pair("joint_damping", &scene.hold.joint_damping)})
      for (const auto& [joint, gain] : *gains)
        overrides.emplace_back(fmt::format("hold.{}.{}", section, joint), fmt::format("{}", gain));
  std::string text =
      "# Made by the studio. Names of files are relative to where the scene that it was made from lies.\n";
  if (!changes.diagram.empty()) text += "# changed: diagram, as drawn\n";
  for (const auto& [key, value] : overrides)
    text += fmt::format("# changed: {}\n", oneLine(fmt::format("{} = {}", key, value)));
  if (!changes.diagram.empty()) overrides.insert(overrides.begin(), {"diagram", changes.diagram});
  return text + sceneText(path, overrides);
}

Scene withGain(Scene scene, double gain) {
  if (gain == 1.0) return scene;
  Simulation plain(withoutDiagram(scene));
  const JointSprings* springs = plain.springs();
  for (int i = 0; springs != nullptr && i < plain.model().jointDofs(); ++i) {
    if (springs->stiffness[i] == 0.0 && springs->damping[i] == 0.0) continue;
    const std::string& name = plain.model().dofs[i].name;
    scene.hold.joint_stiffness[name] = gain * springs->stiffness[i];
    scene.hold.joint_damping[name] = std::sqrt(gain) * springs->damping[i];
  }
  return scene;
}

State carriedAlong(const RobotRun& now, const RobotRun& changed) {
  State state = now.state();
  const SceneGround &before = now.scene().ground, &after = changed.scene().ground;
  if (before.shape != "plane" || after.shape != "plane" || !now.model().floating_base) return state;
  const Pose X_WG = planePose(before), X_WH = planePose(after);
  if (samePose(X_WG, X_WH)) return state;
  const Pose X = X_WH * X_WG.inverse();
  state.setBasePose(X * state.basePose());
  state.nu.head<3>() = X.R * state.nu.head<3>();
  state.nu.segment<3>(3) = X.R * state.nu.segment<3>(3);
  return state;
}

}  // namespace footfall::studio

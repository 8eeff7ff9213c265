#include "studio/server/live_parameters.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "footfall/simulate/simulation.hpp"

namespace footfall::studio {
namespace {

using nlohmann::json;

Pose planePose(const SceneGround& ground) {
  const Eigen::AngleAxisd turn(ground.heading, Vector3d::UnitZ()), lean(ground.incline, Vector3d::UnitY());
  return {(turn * lean * turn.inverse()).toRotationMatrix(), ground.point};
}

bool samePose(const Pose& a, const Pose& b) { return a.R == b.R && a.p == b.p; }

}  // namespace

Scene loadLiveScene(const std::string& path, const std::vector<SceneOverride>& overrides) {
  Scene scene = loadScene(path, overrides);
  scene.run.log_period = 0.0;
  return scene;
}

json parametersOf(const Scene& scene, double gain) {
  const std::string ground = scene.more_ground.empty() ? "ground." : "ground.0.";
  json parameters = json::array();
  parameters.push_back({{"key", ground + "friction"},
                        {"label", "friction"},
                        {"unit", "-"},
                        {"value", scene.ground.friction},
                        {"low", 0.0},
                        {"high", 1.5}});
  parameters.push_back({{"key", ground + "restitution"},
                        {"label", "restitution"},
                        {"unit", "-"},
                        {"value", scene.ground.restitution},
                        {"low", 0.0},
                        {"high", 1.0}});
  if (scene.ground.shape == "plane")
    parameters.push_back({{"key", ground + "incline"},
                          {"label", "incline"},
                          {"unit", "deg"},
                          {"value", scene.ground.incline * 180.0 / std::numbers::pi},
                          {"low", 0.0},
                          {"high", 45.0}});
  else
    parameters.push_back(
        {{"label", "incline"}, {"refused", "a " + scene.ground.shape + " has no incline; a plane has"}});
  if (std::isnan(gain))
    parameters.push_back({{"label", "gain"}, {"refused", "this scene holds no posture"}});
  else
    parameters.push_back(
        {{"key", "gain"}, {"label", "gain"}, {"unit", "×"}, {"value", gain}, {"low", 0.0}, {"high", 4.0}});
  return parameters;
}

Scene withGain(Scene scene, double gain) {
  if (gain == 1.0) return scene;
  Simulation plain(scene);
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

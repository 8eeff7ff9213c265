#include "oracle/robots.hpp"

#include <algorithm>

#include "footfall/base/error.hpp"
#include "footfall/base/plugin.hpp"

namespace footfall::test {
namespace {

/// The reference list of 23 joints for whole-body control.
const std::vector<std::string> kIcubJoints = {
    "torso_pitch", "torso_roll",       "torso_yaw",       "l_shoulder_pitch", "l_shoulder_roll", "l_shoulder_yaw",
    "l_elbow",     "r_shoulder_pitch", "r_shoulder_roll", "r_shoulder_yaw",   "r_elbow",         "l_hip_pitch",
    "l_hip_roll",  "l_hip_yaw",        "l_knee",          "l_ankle_pitch",    "l_ankle_roll",    "r_hip_pitch",
    "r_hip_roll",  "r_hip_yaw",        "r_knee",          "r_ankle_pitch",    "r_ankle_roll"};

bool isInstalled(const Robot& robot) {
  try {
    ResourcePath::standard().findModel(robot.file);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

void PrintTo(const Robot& robot, std::ostream* out) { *out << robot.name; }

const std::vector<Robot>& robots() {
  static const std::vector<Robot> all = {
      {"iCub23", "iCubGazeboV2_5", true, kIcubJoints},
      {"iCub", "iCubGazeboV2_5"},
      {"Talos", "talos_data/talos_full_v2"},
      {"G1", "g1_description/g1_29dof_rev_1_0"},
      {"AnymalB", "anymal_b_simple_description/anymal"},
      {"AnymalC", "anymal_c_simple_description/anymal"},
      {"Solo12", "solo_description/solo12"},
      {"A1", "a1_description/a1"},
      {"Panda", "panda_description/panda", false},
      {"Ur5", "ur_description/ur5_robot", false},
      {"TiagoWithPrismaticTorso", "tiago_description/tiago", false},
      {"SliderGripperWithMimicJoints", "slider_gripper", false},
      {"FlyingSliderGripper", "slider_gripper"},
      {"Quadruped", "quadruped"},
  };
  return all;
}

std::optional<Model> load(const Robot& robot) {
  if (!isInstalled(robot)) return std::nullopt;
  UrdfOptions options;
  options.floating_base = robot.floating_base;
  options.joints = robot.joints;
  options.massless_links = MasslessLinks::ignore;
  return loadUrdf(robot.file, options).model;
}

std::string testName(const testing::TestParamInfo<Robot>& info) { return info.param.name; }

bool hasPlugin(const std::string& kind, const std::string& name) {
  if (name == "native") return true;
  const auto plugins = findPlugins();
  return std::any_of(plugins.begin(), plugins.end(), [&](const PluginInfo& plugin) {
    return plugin.kind == kind && plugin.name == name && plugin.problem.empty();
  });
}

}  // namespace footfall::test

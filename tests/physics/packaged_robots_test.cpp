// Every robot file of the packages icub-models and example-robot-data is dropped limp with all of its shapes, or
// refused with a reason.

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "footfall/base/error.hpp"
#include "physics/scene_tools.hpp"

namespace footfall::physics {
namespace {

namespace fs = std::filesystem;

/// What is said about files that cannot be used as they are.
const char* const kNoMass = "which has no mass, and nothing below it has any";
const char* const kNotFloating = "link 'world' is the floating base, and has no mass";
const std::map<std::string, std::string> kRefused = {
    {"alex_description/urdf/alex_psyonic_hands.urdf", "mimics 'index_q1', which is no joint of this robot"},
    {"bluevolta_description/urdf/bluevolta_bravo7_gripper.urdf", kNoMass},
    {"bravo7_description/urdf/bravo7_gripper.urdf", kNoMass},
    {"cassie_description/robots/cassie_reduced.sdf", kNotFloating},
    {"cassie_description/robots/cassie_simple.sdf", kNotFloating},
    {"cassie_description/robots/cassie_wo_gearbox_spring.sdf", kNotFloating},
    {"falcon_description/urdf/falcon.urdf", "there is no link 'Z_propeller', its child"},
    {"falcon_description/urdf/falcon_bravo7_gripper.urdf", kNoMass},
    {"romeo_description/urdf/romeo.urdf", kNoMass},
    {"romeo_description/urdf/romeo_laas_small.urdf", kNoMass},
    {"ur_description/urdf/ur3.urdf", "there is no <link> in it"},
};

bool isRobotFile(const fs::path& path) { return path.extension() == ".urdf" || path.extension() == ".sdf"; }

/// Of the packages wherever they are found, each file once: "go2_description/urdf/go2.urdf".
std::map<std::string, std::string> packagedFiles() {
  std::map<std::string, std::string> files;
  std::set<fs::path> seen;
  const ResourcePath resources = ResourcePath::standard();
  for (const fs::path& folder : resources.folders())
    for (const char* package : {"iCub", "example-robot-data"}) {
      const fs::path robots = folder / package / "robots";
      std::error_code ignored;
      for (const auto& entry : fs::recursive_directory_iterator(robots, ignored))
        if (isRobotFile(entry.path()) && seen.insert(fs::canonical(entry.path())).second)
          files[fs::relative(entry.path(), robots).string()] = entry.path().string();
    }
  return files;
}

bool hasShapes(const LoadedModel& loaded) {
  return std::any_of(loaded.geometries.begin(), loaded.geometries.end(),
                     [](const LinkGeometry& geometry) { return geometry.collision; });
}

/// How a file is used.
struct Use {
  MasslessLinks massless = MasslessLinks::error;
  bool fixed_base = false;
};

/// The robot limp above the ground, ready to touch it with all of its shapes; with a fixed base it hangs.
Scene dropOf(const std::string& path, const Use& use) {
  Scene scene = freeBody(path);
  scene.robot.massless_links = use.massless;
  scene.robot.fixed_base = use.fixed_base;
  UrdfOptions options;
  options.massless_links = use.massless;
  options.floating_base = !use.fixed_base;
  if (use.fixed_base || !hasShapes(loadUrdf(path, options))) return scene;
  scene.contacts.push_back({.where = "", .frame = "all", .points = {}, .radius = 0.0, .collision = true});
  scene.robot.on_ground = true;
  return scene;
}

/// How far it falls before it touches [m].
constexpr double kHeight = 0.05;

void drop(const Scene& scene) {
  Simulation simulation(scene);
  State state = simulation.state();
  state.q[2] += kHeight;
  simulation.setState(state);
  const double start = simulation.dynamics().energy().total();
  for (int k = 0; k < 300; ++k)
    ASSERT_NE(simulation.step().status, SolveStatus::failed) << simulation.describeFailure();
  EXPECT_LE(simulation.dynamics().energy().total(), start + 1e-3);
}

TEST(PackagedRobots, AllDropLimpOrSayWhyNot) {
  const std::map<std::string, std::string> files = packagedFiles();
  if (files.empty()) GTEST_SKIP() << "the Python packages icub-models and example-robot-data are not installed";
  EXPECT_GE(files.size(), 90u);
  for (const auto& [name, path] : files) {
    SCOPED_TRACE(name);
    std::string refused;
    try {
      drop(dropOf(path, {}));
    } catch (const Error& error) {
      refused = error.problem();
    }
    const auto expected = kRefused.find(name);
    if (expected == kRefused.end()) {
      EXPECT_EQ(refused, "");
    } else {
      EXPECT_NE(refused.find(expected->second), std::string::npos) << refused;
      // What the hints of these offer helps.
      if (expected->second == kNoMass) {
        EXPECT_NO_THROW(drop(dropOf(path, {.massless = MasslessLinks::ignore})));
      }
      if (expected->second == kNotFloating) {
        EXPECT_NO_THROW(drop(dropOf(path, {.fixed_base = true})));
      }
    }
  }
}

}  // namespace
}  // namespace footfall::physics

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "footfall/base/error.hpp"
#include "footfall/model_io/resource_path.hpp"
#include "verbs.hpp"

namespace footfall::command {
namespace {

namespace fs = std::filesystem;

/// Looks upwards from the program: a build folder lies inside of the source tree, bin/ inside of a prefix.
fs::path findScene(const fs::path& name) {
  const fs::path program = fs::read_symlink("/proc/self/exe");
  for (fs::path folder = program.parent_path(); folder != folder.root_path(); folder = folder.parent_path()) {
    for (const fs::path& candidate : {folder / "scenes" / name, folder / "share" / "footfall" / "scenes" / name})
      if (fs::exists(candidate)) return candidate;
  }
  throw Error("", fmt::format("scenes/{} was not found in any folder above {}", name.string(), program.string()),
              "run the command from its build folder or its installation, or name a scene: footfall run SCENE");
}

constexpr const char* kHumanoid = "model://iCub/robots/iCubGazeboV2_5/model.urdf";  // of demo.yaml

}  // namespace

std::string demoScene() {
  if (ResourcePath::standard().find(kHumanoid)) return findScene("demo.yaml").string();
  fmt::print(
      "The humanoid iCub is not here, so this is a quadruped of our own; `pip install icub-models` brings iCub.\n");
  return findScene("quadruped.yaml").string();
}

int demo(RunOptions options) {
  options.scene = demoScene();
  return run(options);
}

}  // namespace footfall::command

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "footfall/base/error.hpp"
#include "footfall/base/internal/temporary_folder.hpp"
#include "footfall/robot_file/resource_path.hpp"
#include "overrides.hpp"
#include "run_loop.hpp"
#include "verbs.hpp"
#ifdef FOOTFALL_STUDIO
#include "show.hpp"
#include "studio/server/log_session.hpp"
#endif

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

#ifdef FOOTFALL_STUDIO
/// Somebody sits in front of it: a script would wait for a browser that nobody closes.
bool isWatched() { return hasDisplay() && isatty(STDOUT_FILENO) != 0 && std::getenv("CI") == nullptr; }

int look(const std::string& log, const DemoOptions& options) {
  if (!isWatched()) return report({{log}, options.page});
  std::vector<std::unique_ptr<studio::Session>> sessions;
  sessions.push_back(std::make_unique<studio::LogSession>(log));
  return show(std::move(sessions), {});
}
#else
int look(const std::string&, const DemoOptions&) { return kSuccess; }
#endif

}  // namespace

std::string demoScene() {
  if (ResourcePath::standard().find(kHumanoid)) return findScene("demo.yaml").string();
  fmt::print(
      "The humanoid iCub is not here, so this is a quadruped of our own; `pip install icub-models` brings iCub.\n");
  return findScene("quadruped.yaml").string();
}

int demo(DemoOptions options) {
  const TemporaryFolder folder("demo");
  RunOptions& run = options.run;
  run.scene = demoScene();
  run.keeps_log = !run.log.empty();
  if (!run.keeps_log) run.log = folder.path() / "push.mcap";
  SceneRunner runner(loadScene(run.scene, overridesOf(run)));
  const int outcome = runLoop(runner, run);
  return outcome == kSuccess && !options.page.empty() ? look(run.log, options) : outcome;
}

}  // namespace footfall::command

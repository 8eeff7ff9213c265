#include <fmt/format.h>

#include <string>
#include <vector>

#include "footfall/base/instruction_set.hpp"
#include "footfall/base/plugin.hpp"
#include "footfall/base/version.hpp"
#include "footfall/model_io/resource_path.hpp"
#include "verbs.hpp"

namespace footfall::command {
namespace {

void printPlugins(const char* title, const std::string& kind, const std::vector<PluginInfo>& plugins) {
  fmt::print("\n{}\n  {:<12} built in, the default\n", title, "native");
  for (const PluginInfo& plugin : plugins) {
    if (plugin.kind != kind) continue;
    fmt::print("  {:<12} {}\n", plugin.name, plugin.path);
    if (!plugin.problem.empty()) fmt::print("  {:<12} does not work: {}\n", "", plugin.problem);
  }
}

void printRobots(const ResourcePath& resources) {
  fmt::print("\nRobots are looked for in\n");
  for (const auto& folder : resources.folders()) fmt::print("  {}\n", folder.string());
  const std::vector<KnownModel> models = resources.models();
  fmt::print("\n{} robots found; each can be given by this name\n", models.size());
  for (const KnownModel& model : models) fmt::print("  {}\n", model.name);
}

}  // namespace

int doctor() {
  fmt::print("footfall {}, built with {} {}\n", version(),
#if defined(__clang__)
             "clang",
#else
             "gcc",
#endif
             __VERSION__);
  fmt::print("instruction set: {} (the environment variable FOOTFALL_ISA overrides it)\n", nameOf(instructionSet()));
  const std::vector<PluginInfo> plugins = findPlugins();
  printPlugins("Physics engines", "engine", plugins);
  printPlugins("Contact solvers", "solver", plugins);
  fmt::print("\nContact models\n  rigid (the default), gauss, compliant\n");
  printRobots(ResourcePath::standard());
  return kSuccess;
}

}  // namespace footfall::command

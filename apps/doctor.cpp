#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "footfall/base/plugin.hpp"
#include "footfall/base/version.hpp"
#include "footfall/diagram/all_blocks.hpp"
#include "footfall/robot_file/resource_path.hpp"
#include "footfall/scene/ground_shapes.hpp"
#include "footfall/simd/instruction_set.hpp"
#include "verbs.hpp"

namespace footfall::command {
namespace {

/// A kind of part that plug-ins may bring.
struct PartKind {
  const char *title, *kind;
  std::vector<std::string> built_in;  ///< the default first
  bool has_default = true;
};

const std::vector<PartKind>& partKinds() {
  static const std::vector<PartKind> kinds = {
      {"Physics engines", "engine", {"native"}},
      {"Contact solvers", "solver", {"native"}},
      {"Contact models", "contact", {"rigid", "gauss", "compliant"}},
      {"Integrators", "integrator", {"second_order", "semi_implicit_euler", "explicit_euler", "rk4", "midpoint"}},
      {"Ground shapes", "terrain", groundShapes()},
      {"Formats of logs, by the ending of the file", "log", {"mcap", "csv", "mat"}, false},
      {"Formats of plots, by the ending of the file", "plot", {"png", "svg"}, false},
  };
  return kinds;
}

void printPlugin(const PluginInfo& plugin) {
  fmt::print("  {:<20} {}\n", plugin.name, plugin.path);
  if (!plugin.problem.empty()) fmt::print("  {:<20} does not work: {}\n", "", plugin.problem);
}

void printParts(const PartKind& part, const std::vector<PluginInfo>& plugins) {
  fmt::print("\n{}\n", part.title);
  for (const std::string& name : part.built_in)
    fmt::print("  {:<20} built in{}\n", name, part.has_default && name == part.built_in.front() ? ", the default" : "");
  for (const PluginInfo& plugin : plugins)
    if (plugin.kind == part.kind) printPlugin(plugin);
}

void printBlocks() {
  const BlockRegistry registry = allBlocks();
  fmt::print("\nBlocks of diagrams\n  {} kinds: `footfall blocks` lists them\n", registry.kinds().size());
  for (const std::string& problem : registry.problems()) fmt::print("  does not work: {}\n", problem);
}

/// Files that are called like plug-ins, of a kind that there is not.
void printOtherPlugins(const std::vector<PluginInfo>& plugins) {
  for (const PluginInfo& plugin : plugins) {
    const auto isKnown = [&](const PartKind& part) { return plugin.kind == part.kind; };
    if (plugin.kind == "block" || std::any_of(partKinds().begin(), partKinds().end(), isKnown)) continue;
    fmt::print("\n{}\n  there is no kind of plug-in '{}'\n", plugin.path, plugin.kind);
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
  for (const PartKind& part : partKinds()) printParts(part, plugins);
  printBlocks();
  printOtherPlugins(plugins);
  printRobots(ResourcePath::standard());
  return kSuccess;
}

}  // namespace footfall::command

#include <fmt/format.h>

#include <filesystem>

#include "footfall/base/error.hpp"
#include "footfall/robot_file/collision_shapes.hpp"
#include "footfall/robot_file/urdf.hpp"
#include "footfall/run/simulation.hpp"
#include "model_report.hpp"
#include "verbs.hpp"

namespace footfall::command {
namespace {

bool isScene(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension();
  return extension == ".yaml" || extension == ".yml";
}

/// Nothing in a scene need say so, and a robot that should fall over stands.
std::string describeHold(const SceneHold& hold, Simulation& simulation) {
  if (simulation.springs() == nullptr || simulation.model().dofs.empty()) return "";
  const std::string which =
      hold.joints.empty() ? "every joint is"
                          : fmt::format("{} joint{}", hold.joints.size(), hold.joints.size() == 1 ? " is" : "s are");
  return fmt::format(
      "\nPosture\n  {} held where it starts by springs and dampers; `hold: {{enabled: false}}` frees the joints\n",
      which);
}

/// What keeps shapes from touching anything. A mesh that is not found is among the warnings of the model already.
std::vector<std::string> shapeSuspicions(const LoadedModel& loaded) {
  std::vector<std::string> found;
  MeshHulls hulls;
  for (const LinkGeometry& geometry : loaded.geometries) {
    if (!geometry.collision || (geometry.shape == "mesh" && geometry.mesh_path.empty())) continue;
    try {
      collisionShape(geometry, loaded.model, {}, hulls);
    } catch (const Error& error) {
      found.push_back(
          fmt::format("{}: {} (it can touch nothing; the dynamics do not need it)", error.where(), error.problem()));
    }
  }
  return found;
}

void printReport(const Model& model, const std::string& parts_of_scene, std::vector<std::string> warnings) {
  fmt::print("{}{}", describe(model), parts_of_scene);
  for (const std::string& suspicion : suspicions(model)) warnings.push_back(suspicion);
  if (warnings.empty()) {
    fmt::print("\nNothing suspicious.\n");
    return;
  }
  fmt::print("\nSuspicious\n");
  for (const std::string& warning : warnings) fmt::print("  {}\n", warning);
}

}  // namespace

int inspect(const std::string& model_or_scene) {
  if (isScene(model_or_scene)) {
    const Scene scene = withoutDiagram(loadScene(model_or_scene));
    Simulation simulation(scene);
    const std::string parts = describeCollisions(scene, simulation.model()) + describeHold(scene.hold, simulation);
    printReport(simulation.model(), parts, simulation.warnings());
    return kSuccess;
  }
  UrdfOptions options;
  options.massless_links = MasslessLinks::ignore;  // reported, so that the rest of the report can be read
  const LoadedModel loaded = loadUrdf(model_or_scene, options);
  std::vector<std::string> warnings;
  for (const Warning& warning : loaded.warnings) warnings.push_back(warning.where + ": " + warning.what);
  fmt::print("{}\n", loaded.source);
  for (const std::string& suspicion : shapeSuspicions(loaded)) warnings.push_back(suspicion);
  for (const std::string& suspicion : zeroPostureSuspicions(loaded.model)) warnings.push_back(suspicion);
  printReport(loaded.model, "", std::move(warnings));
  return kSuccess;
}

}  // namespace footfall::command

#include "record/run_files.hpp"

#include <filesystem>
#include <map>
#include <set>

#include "footfall/base/internal/read_text.hpp"

namespace footfall::record {
namespace {

namespace fs = std::filesystem;

void attachFile(Log& log, const std::string& name, const std::string& path) {
  log.attach({name, mediaType(path), readText(path)});
}

/// The files of a diagram, called as a scene beside them would call them.
void attachDiagram(Log& log, const SceneDiagram& diagram, const std::string& scene) {
  if (diagram.given() && diagram.source != scene && fs::is_regular_file(diagram.source))
    attachFile(log, fs::path(diagram.source).lexically_relative(fs::path(scene).parent_path()).string(),
               diagram.source);
  for (const SceneDiagram& inside : diagram.subdiagrams) attachDiagram(log, inside, scene);
}

}  // namespace

std::string mediaType(const std::string& path) {
  static const std::map<std::string, std::string> kTypes = {
      {".stl", "model/stl"},         {".obj", "model/obj"},        {".dae", "model/vnd.collada+xml"},
      {".glb", "model/gltf-binary"}, {".urdf", "application/xml"}, {".sdf", "application/xml"},
      {".yaml", "text/yaml"},        {".png", "image/png"},        {".csv", "text/csv"}};
  std::string ending = fs::path(path).extension().string();
  for (char& letter : ending) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  const auto found = kTypes.find(ending);
  return found == kTypes.end() ? "application/octet-stream" : found->second;
}

void attachRunFiles(Log& log, const Scene& scene, const LoadedModel& robot, bool with_meshes) {
  if (fs::is_regular_file(scene.source)) attachFile(log, "scene.yaml", scene.source);
  if (!robot.source.empty()) attachFile(log, "model" + fs::path(robot.source).extension().string(), robot.source);
  attachDiagram(log, scene.diagram, scene.source);
  if (!scene.ground.file.empty()) attachFile(log, scene.ground.file, scene.ground.file);
  for (const SceneGround& ground : scene.more_ground)
    if (!ground.file.empty()) attachFile(log, ground.file, ground.file);
  if (!with_meshes) return;
  std::set<std::string> attached;
  for (const LinkGeometry& geometry : robot.geometries)
    if (!geometry.mesh_path.empty() && attached.insert(geometry.mesh).second)
      attachFile(log, geometry.mesh, geometry.mesh_path);
}

}  // namespace footfall::record

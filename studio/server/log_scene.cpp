#include "studio/server/log_scene.hpp"

#include <fstream>

#include "footfall/base/error.hpp"

namespace footfall::studio {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSceneFile = "scene.yaml";
constexpr const char* kHeights = "heights";

bool isMesh(const AttachmentInfo& info) { return info.media_type.rfind("model/", 0) == 0; }

/// Values that the command line changed, which the scene's file does not know.
std::vector<SceneOverride> overridesOf(const LogReader& log) {
  constexpr std::string_view kSet = "set ";
  std::vector<SceneOverride> overrides;
  for (const auto& [key, value] : log.notes())
    if (key.rfind(kSet, 0) == 0) overrides.emplace_back(key.substr(kSet.size()), value);
  return overrides;
}

void write(const fs::path& path, const std::string& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  file.close();
  if (!file) throw Error(path.string(), "the files of the log cannot be laid out here", "TMPDIR chooses another place");
}

/// Three folders deep, because scenes may name diagrams by `../diagrams/…`.
fs::path sceneFile(const fs::path& root) { return root / "scene" / "of" / "run" / kSceneFile; }

}  // namespace

fs::path placeBelow(const fs::path& root, const fs::path& beside, const std::string& name) {
  fs::path place;
  for (const std::string scheme : {"package://", "model://"})
    if (name.rfind(scheme, 0) == 0) place = root / fs::path(name.substr(scheme.size())).relative_path();
  if (place.empty() && name.find("://") == std::string::npos && fs::path(name).is_relative()) place = beside / name;
  const fs::path inside = place.lexically_normal().lexically_relative(root);
  if (place.empty() || inside.empty() || *inside.begin() == ".." || *inside.begin() == ".") return {};
  return root / inside;
}

LogScene::LogScene(const LogReader& log) {
  if (log.hasAttachment(kSceneFile)) {
    folder_.emplace("log");
    layOut(log, folder_->path());
    scene_ = loadScene(sceneFile(folder_->path()).string(), overridesOf(log));
    if (!robot_.empty()) scene_.robot.model = robot_.string();
    useHeights(scene_.ground);
    for (SceneGround& ground : scene_.more_ground) useHeights(ground);
    return;
  }
  const std::string path = log.note("scene");
  if (path.empty() || !fs::exists(path))
    throw Error(log.path(), "the log holds no robot, and the scene that it was made from is not at '" + path + "'",
                "write logs as .mcap: they hold everything that is needed to show them");
  scene_ = loadScene(path, overridesOf(log));
}

/// Heights lie in a folder of their own, whatever path they had.
void LogScene::useHeights(SceneGround& ground) const {
  const fs::path place = folder_->path() / kHeights / fs::path(ground.file).filename();
  if (!ground.file.empty() && fs::exists(place)) ground.file = place.string();
}

/// The robot lies two folders deep, because robots name meshes by `../meshes/…`.
void LogScene::layOut(const LogReader& log, const fs::path& root) {
  const fs::path beside = root / "robot" / "model";
  for (const AttachmentInfo& info : log.attachments()) {
    const bool is_robot = info.name == "model.urdf" || info.name == "model.sdf";
    const bool is_diagram = info.media_type == "text/yaml" && info.name != kSceneFile;
    const fs::path place = is_robot                  ? beside / info.name
                           : info.name == kSceneFile ? sceneFile(root)
                           : is_diagram              ? placeBelow(root, sceneFile(root).parent_path(), info.name)
                                                     : placeBelow(root, beside, info.name);
    if (!place.empty()) write(place, log.attachment(info.name));
    if (is_robot) robot_ = place;
    if (isMesh(info) || is_robot) continue;
    const fs::path heights = placeBelow(root, root / kHeights, fs::path(info.name).filename().string());
    if (!heights.empty()) write(heights, log.attachment(info.name));
  }
}

}  // namespace footfall::studio

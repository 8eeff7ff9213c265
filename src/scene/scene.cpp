#include "footfall/scene/scene.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <tuple>

#include "footfall/base/internal/read_text.hpp"
#include "footfall/robot_file/resource_path.hpp"
#include "scene/actuator_keys.hpp"
#include "scene/body_keys.hpp"
#include "scene/loop_keys.hpp"
#include "scene/prescribed_keys.hpp"
#include "scene/scene_keys.hpp"
#include "scene/spring_keys.hpp"
#include "scene/view_keys.hpp"

namespace footfall {
namespace {

/// Where a scene of ours lies that the pages call by its name in the source tree, `scenes/quadruped.yaml`; empty: none
/// is called like that.
std::string hintOfOwnScene(const std::filesystem::path& path) {
  std::filesystem::path name = path.lexically_normal();
  if (!name.empty() && *name.begin() == "scenes") name = name.lexically_relative("scenes");
  std::error_code ignored;
  const ResourcePath places = ResourcePath::standard();
  for (const std::filesystem::path& models : places.folders()) {
    const std::filesystem::path own = models.parent_path() / "scenes" / name;
    if (models.filename() == "models" && std::filesystem::is_regular_file(own, ignored))
      return fmt::format("Footfall's own is {}", own.string());
  }
  return "";
}

std::string readScene(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    if (const std::string hint = hintOfOwnScene(path); !hint.empty())
      throw Error(path, "cannot be read: there is no such file", hint);
  return readText(path);
}

/// Sections that the file leaves out still know which file that was.
void fillPlaces(Scene& scene) {
  for (std::string* where :
       {&scene.robot.where, &scene.ground.where, &scene.physics.where, &scene.hold.where, &scene.run.where})
    if (where->empty()) *where = scene.source;
}

void fillDefaultFootprints(Scene& scene) {
  for (SceneContact& contact : scene.contacts)
    if (contact.points.empty() && !contact.collision) contact.points.push_back(Vector3d::Zero());
}

void checkContact(const SceneContact& contact) {
  if (contact.frame == "all" && !contact.collision)
    throw Error(contact.where, "the contact of 'all' has no 'collision: true'",
                "only collision shapes can be named all at once: {frame: all, collision: true}");
  if (contact.circle == 0.0) return;
  const char* other = contact.collision      ? "collision"
                      : contact.radius > 0.0 ? "radius"
                      : contact.face > 0.0   ? "face"
                                             : nullptr;
  if (other == nullptr) return;
  throw Error(contact.where, fmt::format("the contact of '{}' has both circle and {}", contact.frame, other),
              "a circle is a sharp edge; write two entries where a frame touches in two ways");
}

/// The same point twice would share its force with itself in some way.
void checkPointsGivenOnce(const std::vector<SceneContact>& contacts) {
  std::set<std::tuple<std::string, double, double, double, double, double>> seen;
  for (const SceneContact& contact : contacts)
    for (const Vector3d& p : contact.points)
      if (!seen.emplace(contact.frame, p.x(), p.y(), p.z(), contact.radius, contact.circle).second)
        throw Error(contact.where,
                    fmt::format("the point [{}, {}, {}] of '{}' is given twice", p.x(), p.y(), p.z(), contact.frame),
                    "remove one of them");
}

/// Names that the file gives, each once; those that are made from frames may be alike.
template <class Entry>
void checkNamesGivenOnce(const std::vector<Entry>& entries, const char* what) {
  std::set<std::string> names;
  for (const Entry& entry : entries)
    if (!entry.name.empty() && !names.insert(entry.name).second)
      throw Error(entry.where, fmt::format("there are two {} '{}'", what, entry.name), "names are given once");
}

/// Checks that need more than one key.
void checkTogether(const Scene& scene) {
  const ScenePhysics& physics = scene.physics;
  if (physics.acceptable < physics.tolerance) {
    throw Error(
        physics.where,
        fmt::format("physics.acceptable {} is less than physics.tolerance {}", physics.acceptable, physics.tolerance),
        "a run stops at a residual above `acceptable`, and `tolerance` is what the solver aims at");
  }
  for (const SceneContact& contact : scene.contacts) checkContact(contact);
  checkPointsGivenOnce(scene.contacts);
  for (std::size_t k = 0; k < scene.loops.size(); ++k) checkLoop(scene.loops[k], k);
  checkNamesGivenOnce(scene.loops, "loops");
  checkNamesGivenOnce(scene.springs, "springs");
  for (std::size_t k = 0; k < scene.actuators.size(); ++k) checkActuator(scene.actuators[k], k);
  for (std::size_t k = 0; k < scene.prescribed.size(); ++k) checkPrescribed(scene.prescribed[k], k);
  for (std::size_t k = 0; k < scene.springs.size(); ++k) checkSpring(scene.springs[k], k);
  checkBodies(scene);
  checkView(scene.view);
  for (const ScenePush& push : scene.pushes)
    if (push.force.isZero(0.0) && push.moment.isZero(0.0))
      throw Error(push.where, fmt::format("the push on '{}' has neither force nor moment", push.link));
}

/// A file that lies beside the scene is found wherever the command runs.
std::string besideScene(const std::string& file, const std::filesystem::path& scene_path) {
  const std::filesystem::path beside = scene_path.parent_path() / file;
  const std::string path = beside.string();
  std::error_code ignored;
  const bool plain = file.find("://") == std::string::npos;
  const bool is_there = std::filesystem::is_regular_file(path.substr(0, path.rfind('#')), ignored);  // file.sdf#model
  return plain && is_there ? path : file;
}

}  // namespace

Scene parseScene(const std::string& text, const std::string& source, const std::vector<SceneOverride>& overrides) {
  const SceneSource origin{source, overrides};
  const YAML::Node document = parseSceneDocument(text, origin);
  Scene scene;
  scene.source = source;
  readSection(SceneValue(origin, document, ""), sceneFields(), scene);
  fillPlaces(scene);
  fillDefaultFootprints(scene);
  checkTogether(scene);
  return scene;
}

Scene loadScene(const std::string& path, const std::vector<SceneOverride>& overrides) {
  Scene scene = parseScene(readScene(path), path, overrides);
  if (!scene.robot.model.empty()) scene.robot.model = besideScene(scene.robot.model, path);
  for (SceneBody& body : scene.bodies)
    if (!body.model.empty()) body.model = besideScene(body.model, path);
  scene.ground.file = besideScene(scene.ground.file, path);
  for (SceneGround& ground : scene.more_ground) ground.file = besideScene(ground.file, path);
  return scene;
}

std::string sceneText(const std::string& path, const std::vector<SceneOverride>& overrides) {
  YAML::Emitter out;
  out << parseSceneDocument(readScene(path), {path, overrides});
  return std::string(out.c_str()) + "\n";
}

bool isSceneFile(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_fifo(path, ignored))
    throw Error(path, "is a pipe, and a scene is read more than once", "write it into a file first");
  return isSceneText(readScene(path), path);
}

bool isSceneText(const std::string& text, const std::string& source) {
  const YAML::Node document = parseSceneDocument(text, {source, {}});
  return !document.IsMap() || !document["blocks"].IsDefined();
}

std::string sceneSchema() {
  return indentJson(fmt::format(
             R"({{"$schema": "http://json-schema.org/draft-07/schema#", "title": "Footfall scene", "anyOf": [{{"required": ["robot"]}}, {{"required": ["bodies"]}}], {}}})",
             sectionSchema(sceneFields()))) +
         "\n";
}

}  // namespace footfall

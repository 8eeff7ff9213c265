#include "export/scene_bundle.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "footfall/base/error.hpp"
#include "footfall/base/internal/read_text.hpp"
#include "footfall/robot_file/resource_path.hpp"
#include "footfall/scene/internal/collision_filter.hpp"
#include "runtime/session.hpp"

namespace footfall::fmu {
namespace fs = std::filesystem;
namespace {

/// The robot's file with its meshes beside it.
class RobotBundle {
 public:
  /// `name` is that of its file in the bundle, without ending; those of its meshes begin so.
  RobotBundle(const fs::path& path, std::string name, bool with_meshes)
      : path_(path), name_(std::move(name)), with_meshes_(with_meshes) {
    const std::string text = readText(path);
    if (document_.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS)
      throw Error(path.string(), "this is no XML file");
    clean(document_.RootElement());
  }

  /// The name of the robot's file in the bundle.
  std::string append(std::vector<ZipEntry>& entries) {
    tinyxml2::XMLPrinter printer;
    document_.Print(&printer);
    entries.push_back({name_ + path_.extension().string(), printer.CStr()});
    for (auto& mesh : meshes_) entries.push_back(std::move(mesh));
    return name_ + path_.extension().string();
  }

 private:
  void clean(tinyxml2::XMLElement* element) {
    tinyxml2::XMLElement* next = nullptr;
    for (tinyxml2::XMLElement* child = element->FirstChildElement(); child != nullptr; child = next) {
      next = child->NextSiblingElement();
      const std::string name = child->Name();
      if (name == "visual" || (name == "collision" && !with_meshes_)) {
        element->DeleteChild(child);
      } else if (name == "mesh") {
        takeMesh(child);
      } else {
        clean(child);
      }
    }
  }

  /// URDF names the file in an attribute, SDF in an element.
  void takeMesh(tinyxml2::XMLElement* mesh) {
    if (const char* uri = mesh->Attribute("filename")) {
      mesh->SetAttribute("filename", bundled(uri).c_str());
    } else if (tinyxml2::XMLElement* element = mesh->FirstChildElement("uri")) {
      element->SetText(bundled(element->GetText() == nullptr ? "" : element->GetText()).c_str());
    }
  }

  std::string bundled(const std::string& uri) {
    std::string& name = names_[uri];
    if (!name.empty()) return name;
    const auto file = ResourcePath::standard().find(uri, path_.parent_path());
    if (!file) throw Error(path_.string(), fmt::format("the mesh '{}' is not found", uri));
    name = fmt::format("{}_mesh_{}{}", name_, names_.size(), file->extension().string());
    meshes_.push_back({name, readText(*file)});
    return name;
  }

  fs::path path_;
  std::string name_;
  bool with_meshes_;
  tinyxml2::XMLDocument document_;
  std::map<std::string, std::string> names_;  ///< of the files in the bundle, by URI
  std::vector<ZipEntry> meshes_;
};

bool touchesWithShapes(const Scene& scene) {
  return scene.collisions.self || !scene.bodies.empty() ||
         std::any_of(scene.contacts.begin(), scene.contacts.end(), [](const SceneContact& c) { return c.collision; });
}

void refusePlugins(const Scene& scene) {
  const auto refuse = [&](const char* key, const std::string& value) {
    if (value != "native")
      throw Error(scene.physics.where,
                  fmt::format("physics.{} is '{}', a plug-in, which an FMU cannot carry", key, value),
                  fmt::format("export with --set physics.{}=native", key));
  };
  refuse("engine", scene.physics.engine);
  refuse("solver", scene.physics.solver);
}

/// The robots of a scene, the pairs of one that do not touch, and its ground, and the overrides by which the scene
/// finds them.
void bundleRobotsAndGround(const Scene& scene, std::vector<SceneOverride>& overrides, std::vector<ZipEntry>& entries) {
  refusePlugins(scene);
  const ResourcePath resources = ResourcePath::standard({fs::path(scene.source).parent_path()});
  const auto bundleModel = [&](const std::string& model, const std::string& name, const std::string& key) {
    if (model.empty()) return;
    overrides.emplace_back(key,
                           RobotBundle(resources.findModel(model), name, touchesWithShapes(scene)).append(entries));
  };
  bundleModel(scene.robot.model, "robot", "robot.model");
  for (std::size_t k = 0; k < scene.bodies.size(); ++k)
    bundleModel(scene.bodies[k].model, fmt::format("body_{}", k), fmt::format("bodies.{}.model", k));
  if (!scene.collisions.srdf.empty()) {
    entries.push_back({"robot.srdf", readText(srdfFile(scene))});
    overrides.emplace_back("collisions.srdf", "robot.srdf");
  }

  if (!scene.ground.file.empty()) {
    const std::string name = "ground" + fs::path(scene.ground.file).extension().string();
    entries.push_back({name, readText(scene.ground.file)});
    overrides.emplace_back("ground.file", name);
  }
  for (const SceneGround& ground : scene.more_ground)
    if (!ground.file.empty())
      throw Error(ground.where, "a height field from a file beside other surfaces cannot be put into an FMU yet",
                  "give it as a formula, or as the only ground");
}

/// Where a file of the user goes in the bundle: as it lies to the scene. Empty: it cannot.
std::string nameInBundle(const fs::path& file, const fs::path& scene_path) {
  const fs::path folder = fs::absolute(scene_path).parent_path();
  const std::string name = fs::absolute(file).lexically_normal().lexically_relative(folder).generic_string();
  return name.starts_with("..") || name == kSceneFile ? "" : name;
}

void appendOnce(const std::string& name, const fs::path& file, std::vector<ZipEntry>& entries) {
  const bool there = std::any_of(entries.begin(), entries.end(), [&](const ZipEntry& e) { return e.name == name; });
  if (!there) entries.push_back({name, readText(file)});
}

/// Blocks that look for a file beside the diagram do so in an FMU, too.
bool readsFileBeside(const SceneBlock& block) { return block.kind == "Policy" || block.kind == "FromFile"; }

const SceneTree* fileOf(const SceneBlock& block) {
  const auto file = std::find_if(block.parameters.begin(), block.parameters.end(),
                                 [](const auto& parameter) { return parameter.first == "file"; });
  return file == block.parameters.end() ? nullptr : &file->second;
}

void bundleFilesOfBlocks(const SceneDiagram& diagram, const fs::path& scene_path, std::vector<ZipEntry>& entries) {
  for (const SceneBlock& block : diagram.blocks) {
    const SceneTree* value = readsFileBeside(block) ? fileOf(block) : nullptr;
    if (value == nullptr) continue;
    const bool from_command = value->where.starts_with("--set");
    const fs::path file = fs::absolute(diagram.source).parent_path() / value->text;
    const std::string name = nameInBundle(file, scene_path);
    if (from_command || name.empty() || fs::path(value->text).is_absolute() || !fs::exists(file))
      throw Error(
          value->where,
          fmt::format("the FMU cannot carry the file '{}' of the block '{}' ({})", value->text, block.name, block.kind),
          "name it in the diagram's file, and put it into the folder of the scene, or below");
    appendOnce(name, file, entries);
  }
}

/// An FMU inside of an FMU would need a plug-in that is not there.
void refuseFmus(const SceneDiagram& diagram) {
  for (const SceneBlock& block : diagram.blocks) {
    if (block.kind != "Fmu") continue;
    const SceneTree* file = fileOf(block);
    throw Error(block.where,
                fmt::format("the block '{}' ({}) reads the file '{}', which an FMU cannot carry", block.name,
                            block.kind, file == nullptr ? "" : file->text),
                "make its signal an input of the diagram, or give the values in the diagram");
  }
}

/// Diagrams in files of their own, where the scene's file looks for them.
void bundleDiagram(const SceneDiagram& diagram, const fs::path& scene_path, std::vector<ZipEntry>& entries) {
  refuseFmus(diagram);
  bundleFilesOfBlocks(diagram, scene_path, entries);
  std::error_code ignored;
  if (!diagram.source.empty() && !fs::equivalent(diagram.source, scene_path, ignored)) {
    const std::string name = nameInBundle(diagram.source, scene_path);
    if (name.empty())
      throw Error(diagram.where, fmt::format("the FMU cannot carry the file '{}' of this diagram", diagram.source),
                  fmt::format("put it into the folder of the scene, or below, with a name other than {}", kSceneFile));
    appendOnce(name, diagram.source, entries);
  }
  for (const SceneDiagram& inside : diagram.subdiagrams) bundleDiagram(inside, scene_path, entries);
}

}  // namespace

std::vector<ZipEntry> bundleScene(const std::string& scene_path, const std::vector<SceneOverride>& overrides) {
  std::vector<ZipEntry> entries{{kSceneFile, readText(scene_path)}};
  std::vector<SceneOverride> all = overrides;
  if (isSceneFile(scene_path)) {
    const Scene scene = loadScene(scene_path, overrides);
    bundleDiagram(scene.diagram, scene_path, entries);
    bundleRobotsAndGround(scene, all, entries);
  } else {
    bundleDiagram(loadDiagramFile(scene_path, overrides).diagram, scene_path, entries);
  }
  std::string text;
  for (const auto& [key, value] : all) text += key + "=" + value + "\n";
  entries.push_back({kOverridesFile, text});
  return entries;
}

}  // namespace footfall::fmu

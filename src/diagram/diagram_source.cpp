#include "footfall/diagram/diagram_source.hpp"

#include "footfall/block_io/diagram_reader.hpp"
#include "footfall/diagram_file/internal/diagram_keys.hpp"
#include "footfall/robot_block/robot_blocks.hpp"
#include "footfall/robot_block/robot_setup.hpp"

namespace footfall {
namespace {

DiagramBuilder builderOf(const Scene& scene, const BlockRegistry& registry) {
  if (!scene.diagram.given()) return defaultDiagram(scene);
  return readDiagram(scene.diagram, registry, makeRobotEnvironment(scene));
}

}  // namespace

DiagramSource diagramOfScene(Scene scene, const BlockRegistry& registry) {
  const DiagramSettings settings = diagramSettings(scene.diagram, scene.physics.step);
  Diagram diagram = builderOf(scene, registry).build(settings);
  return {scene.diagram, scene.run, std::move(scene), std::move(diagram)};
}

DiagramSource diagramOfFile(DiagramFile file, const BlockRegistry& registry) {
  Diagram diagram = readDiagram(file.diagram, registry).build(diagramSettings(file.diagram));
  return {std::move(file.diagram), std::move(file.run), std::nullopt, std::move(diagram)};
}

DiagramSource loadDiagramSource(const std::string& path, const std::vector<SceneOverride>& overrides,
                                const BlockRegistry& registry) {
  if (isSceneFile(path)) return diagramOfScene(loadScene(path, overrides), registry);
  return diagramOfFile(loadDiagramFile(path, overrides), registry);
}

DiagramSource parseDiagramSource(const std::string& text, const std::string& source,
                                 const std::vector<SceneOverride>& overrides, const BlockRegistry& registry) {
  if (isSceneText(text, source)) return diagramOfScene(parseScene(text, source, overrides), registry);
  return diagramOfFile(parseDiagramFile(text, source, overrides), registry);
}

}  // namespace footfall

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "footfall/block/diagram.hpp"
#include "footfall/scene/scene.hpp"

namespace footfall {

/// A diagram that came from a file.
struct DiagramSource {
  SceneDiagram text;
  SceneRun run;
  std::optional<Scene> scene;  ///< that it belongs to; none: a diagram without robot
  Diagram diagram;
};

/// The diagram of a scene (the default one where it has none), or a file that holds nothing but a diagram.
///
///     const DiagramSource source = loadDiagramSource("scenes/icub_balancing.yaml", {}, allBlocks());
///     Context context = source.diagram.makeContext();
DiagramSource loadDiagramSource(const std::string& path, const std::vector<SceneOverride>& overrides,
                                const BlockRegistry& registry);

/// The same of a text; `source` is what errors call it.
DiagramSource parseDiagramSource(const std::string& text, const std::string& source,
                                 const std::vector<SceneOverride>& overrides, const BlockRegistry& registry);

DiagramSource diagramOfScene(Scene scene, const BlockRegistry& registry);
DiagramSource diagramOfFile(DiagramFile file, const BlockRegistry& registry);

}  // namespace footfall

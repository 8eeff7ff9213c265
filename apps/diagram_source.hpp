#pragma once

#include <optional>
#include <string>
#include <vector>

#include "footfall/block/diagram.hpp"
#include "footfall/model_io/scene.hpp"

namespace footfall::command {

/// A diagram that came from a file.
struct DiagramSource {
  SceneDiagram text;
  SceneRun run;
  std::optional<Scene> scene;  ///< that it belongs to; none: a diagram without robot
  Diagram diagram;
};

/// The diagram of a scene (the default one where it has none), or a file that holds nothing but a diagram.
DiagramSource loadDiagramSource(const std::string& path, const std::vector<SceneOverride>& overrides,
                                const BlockRegistry& registry);

DiagramSource diagramOfScene(Scene scene, const BlockRegistry& registry);

/// "physics.solver=osqp" as path and value; throws Error.
std::vector<SceneOverride> parseOverrides(const std::vector<std::string>& texts);

}  // namespace footfall::command

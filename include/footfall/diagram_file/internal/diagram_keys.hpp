#pragma once

#include "footfall/diagram_file/diagram_file.hpp"
#include "footfall/keys/internal/scene_field.hpp"

namespace footfall {

/// The section `diagram` of a scene: a map, or the name of a file that holds one.
SceneDiagram readDiagramSection(const SceneValue& value);
std::string diagramSchema();

/// The text of a diagram in a file of its own; `source` is its path.
DiagramFile parseDiagramFile(const std::string& text, const std::string& source,
                             const std::vector<SceneOverride>& overrides);

/// The keys of the section `run`.
FieldTable<SceneRun> runFields();

}  // namespace footfall

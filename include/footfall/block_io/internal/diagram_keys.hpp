#pragma once

#include "footfall/block_io/diagram_file.hpp"
#include "footfall/keys/internal/scene_field.hpp"

namespace footfall {

/// The section `diagram` of a scene: a map, or the name of a file that holds one.
SceneDiagram readDiagramSection(const SceneValue& value);
std::string diagramSchema();

/// The keys of the section `run`.
FieldTable<SceneRun> runFields();

}  // namespace footfall

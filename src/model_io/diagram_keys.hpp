#pragma once

#include "model_io/scene_field.hpp"

namespace footfall {

/// The section `diagram` of a scene: a map, or the name of a file that holds one.
Field<Scene> diagramField();

/// A whole document that is a diagram. `within` names the files that led to it: none of them may be asked for again.
DiagramFile readDiagramDocument(const SceneValue& value, const std::vector<std::string>& within);

}  // namespace footfall

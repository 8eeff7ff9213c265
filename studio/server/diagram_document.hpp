#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "footfall/block/diagram.hpp"
#include "footfall/diagram_file/scene_diagram.hpp"

namespace footfall::studio {

// The document of the diagram editor: what a file says about a diagram, as JSON. Values are texts in YAML: "[1, 2]",
// "5 deg". Chains of lines are single lines, each with a beginning and one end.

nlohmann::json documentJson(const SceneDiagram& diagram);

/// Throws Refused for what is none, and for what is larger than anybody draws. `where` of its parts says where in the
/// document they stand: "blocks/3", "blocks/3/factor", "lines/0", "subdiagrams/1/blocks/0".
SceneDiagram readDocument(const nlohmann::json& document);

/// Of a diagram that was put together by code: blocks without parameters, and lines.
SceneDiagram documentOf(const Diagram& diagram);

}  // namespace footfall::studio

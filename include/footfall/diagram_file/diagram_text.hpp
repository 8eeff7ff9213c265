#pragma once

#include <string>

#include "footfall/diagram_file/diagram_file.hpp"

namespace footfall {

/// A diagram as YAML, which the reader of files reads back to the same: blocks, lines, ports, parameters, sub-diagrams,
/// places of blocks. Sub-diagrams that came from files of their own are written out, and comments are gone.
///
///     parseDiagram(diagramText(diagram), "here") is the diagram again
std::string diagramText(const SceneDiagram& diagram);
/// As a file of that name would be read; throws Error.
SceneDiagram parseDiagram(const std::string& text, const std::string& source);

/// A value in one line of YAML: `[1, 2]`, `5 deg`, `"++"`; and back. Nothing is an empty text.
std::string treeText(const SceneTree& tree);
/// Throws Error at `where`.
SceneTree parseTree(const std::string& text, const std::string& where);

}  // namespace footfall

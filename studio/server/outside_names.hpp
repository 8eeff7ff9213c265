#pragma once

#include <string>
#include <vector>

#include "footfall/block/registry.hpp"
#include "footfall/diagram_file/scene_diagram.hpp"

namespace footfall::studio {

/// Throws Refused when a diagram from a page names a file, a plug-in or a block of a plug-in (an FMU, Python), unless
/// the diagram that somebody has opened with the command has a block with exactly these names.
void checkOutsideNames(const SceneDiagram& document, const SceneDiagram& opened, const BlockRegistry& registry);

/// Where its blocks stand that name such things: what they complain about may quote files.
std::vector<std::string> outsideBlocks(const SceneDiagram& document, const BlockRegistry& registry);

/// May a page see this kind of block in its palette, and give it this parameter?
bool isForPages(const BlockRegistry::Kind& kind);
bool isForPages(const ParameterDescription& parameter);

}  // namespace footfall::studio

#pragma once

#include <memory>

#include "footfall/block/diagram.hpp"
#include "footfall/block/diagram_review.hpp"
#include "footfall/diagram_file/diagram_file.hpp"

namespace footfall {

/// Puts the diagram of a file together. Errors name the line of the file and the blocks.
/// `registry` holds the kinds of blocks; the file's own sub-diagrams come on top of them.
/// `environment` is handed to the blocks, `parameters` are values for the diagram's own parameters.
///
///     const DiagramFile file = loadDiagramFile("chain.yaml");
///     const Diagram diagram = readDiagram(file.diagram, registry).build(diagramSettings(file.diagram));
DiagramBuilder readDiagram(const SceneDiagram& text, const BlockRegistry& registry,
                           std::shared_ptr<const Environment> environment = nullptr, const Parameters& parameters = {});

/// For editors: what is known about a diagram that may not be finished, and all that is wrong with it. Blocks that
/// cannot be made are left out, with the lines at them.
DiagramReview reviewDiagram(const SceneDiagram& text, const BlockRegistry& registry,
                            std::shared_ptr<const Environment> environment = nullptr);

/// Step and solver that the file asks for.
DiagramSettings diagramSettings(const SceneDiagram& text, double default_step = 1e-3);

}  // namespace footfall

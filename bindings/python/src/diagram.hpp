#pragma once

#include <memory>

#include "footfall/diagram/diagram_source.hpp"
#include "views.hpp"

namespace footfall::python {

/// A diagram as Python has it. Never changes.
struct MadeDiagram {
  std::shared_ptr<const DiagramSource> source;
  nb::object made_of;  ///< arguments of footfall._diagram._diagram_again(): what its pickles hold

  const Diagram& diagram() const { return source->diagram; }
};

/// A run of it, at its start.
nb::object startRun(const MadeDiagram& made);

void bindLinearSystem(nb::module_& module);
void bindDiagramRun(nb::module_& module);

}  // namespace footfall::python

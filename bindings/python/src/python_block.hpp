#pragma once

#include <memory>

#include "footfall/block/block.hpp"
#include "views.hpp"

namespace footfall::python {

/// A block whose methods are written in Python.
std::unique_ptr<Block> makePythonBlock(nb::object python);

void bindBlock(nb::module_& module);

}  // namespace footfall::python

#pragma once

#include <memory>

#include "footfall/block/block.hpp"
#include "footfall/block/registry.hpp"
#include "views.hpp"

namespace footfall::python {

/// A block whose methods are written in Python.
std::unique_ptr<Block> makePythonBlock(nb::object python);

/// All blocks, and those that a file names as `python:module.Class`.
BlockRegistry blocksAndPython();

void bindBlock(nb::module_& module);

}  // namespace footfall::python

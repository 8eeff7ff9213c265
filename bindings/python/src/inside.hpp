#pragma once

#include <string>

#include "footfall/step/step.hpp"

namespace footfall::python {

/// What was inside of the ground or of each other at the start of a step, deeper than steps leave anything, by name and
/// with its depth; empty: nothing was.
std::string whatStartsInside(const StepResult& result, const Model& model);

}  // namespace footfall::python

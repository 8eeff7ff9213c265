#pragma once

#include "footfall/diagram/diagram_source.hpp"
#include "verbs.hpp"

namespace footfall::command {

/// Runs it as source.run says; returns an ExitCode.
int runDiagram(const DiagramSource& source, const RunOptions& options);

}  // namespace footfall::command

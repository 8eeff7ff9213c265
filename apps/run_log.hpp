#pragma once

#include <memory>

#include "footfall/record/run_recorder.hpp"
#include "verbs.hpp"

namespace footfall::command {

/// A log for a run, with notes about what the command line changed.
std::unique_ptr<Log> makeRunLog(const std::string& path, const RunOptions& options);

/// What the command line says about it.
RecordOptions recordOptions(const RunOptions& options);

}  // namespace footfall::command

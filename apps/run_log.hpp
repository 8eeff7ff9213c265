#pragma once

#include <memory>

#include "footfall/record/run_recorder.hpp"
#include "verbs.hpp"

namespace footfall::command {

/// A log for a run, with notes about what the command line changed.
std::unique_ptr<Log> makeRunLog(const std::string& path, const RunOptions& options);

/// What the command line says about it.
RecordOptions recordOptions(const RunOptions& options);

/// Lines of a summary: where the log is, and whether the run had to wait for it.
void printLog(const Log& log, const std::string& path, double wall_seconds);

}  // namespace footfall::command

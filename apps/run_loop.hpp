#pragma once

#include <string>

#include "footfall/record/runner.hpp"
#include "verbs.hpp"

namespace footfall::command {

/// Takes part in a run from outside of it: the clock, a controller of another process.
class RunGuest {
 public:
  virtual ~RunGuest() = default;
  virtual void begin(Runner& runner) = 0;
  virtual std::string beforeStep() = 0;  ///< empty, or why the run ends here
  virtual void afterStep() = 0;
  virtual void finish() = 0;
  virtual std::string summary() const = 0;  ///< lines of the report
};

/// Runs it from the state that the command line names to its end, or until somebody presses Ctrl-C: with warnings, log,
/// progress, profile, a state where it fails, and a summary.
ExitCode runLoop(Runner& runner, const RunOptions& options, RunGuest* guest = nullptr);

}  // namespace footfall::command

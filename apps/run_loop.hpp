#pragma once

#include <memory>
#include <string>

#include "footfall/diagram_file/diagram_file.hpp"
#include "footfall/record/run_recorder.hpp"
#include "footfall/run/simulation.hpp"
#include "profile.hpp"
#include "verbs.hpp"

namespace footfall::command {

/// The rows of a log while a run goes on.
class RunRows {
 public:
  virtual ~RunRows() = default;
  virtual void beforeStep() = 0;
  virtual void afterStep() = 0;  ///< which may have failed
  virtual void finish() = 0;     ///< the last row; closes the log
  virtual const Log& log() const = 0;
};

/// What a run steps: a robot alone, or a diagram around it or without one.
class Runner {
 public:
  virtual ~Runner() = default;

  virtual const SceneRun& plan() const = 0;  ///< how long, and what is kept
  virtual std::string source() const = 0;    ///< its file
  virtual double time() const = 0;           ///< [s]
  virtual double stepSize() const = 0;       ///< [s]
  virtual RobotRun* robot() = 0;             ///< null: there is none
  virtual Simulation* commanded() = 0;       ///< takes commands from outside; null: a diagram gives them

  virtual void startProfile(Profile& profile) = 0;
  /// False: the run ends here, see failure().
  virtual bool step(Profile* profile) = 0;
  virtual bool robotMoved() const = 0;  ///< the last step was one of the robot, and has not failed
  virtual std::string failure() const = 0;
  virtual std::string title() const = 0;  ///< what was run, as a line of the summary; may be empty

  virtual void save(const std::string& path) const = 0;  ///< throws LogError
  virtual std::unique_ptr<RunRows> makeRows(std::unique_ptr<Log> log, const RecordOptions& options) = 0;
};

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

/// Runs it to its end, or until somebody presses Ctrl-C: with log, progress, profile, a state where it fails, and a
/// summary.
ExitCode runLoop(Runner& runner, const RunOptions& options, RunGuest* guest = nullptr);

}  // namespace footfall::command

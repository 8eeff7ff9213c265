#pragma once

#include <memory>
#include <string>
#include <vector>

#include "footfall/record/run_recorder.hpp"
#include "footfall/run/instrumented_simulation.hpp"

namespace footfall {

class DiagramObserver;

/// The rows of a log while a run goes on.
class RunRows {
 public:
  virtual ~RunRows() = default;
  virtual void beforeStep() = 0;
  virtual void afterStep() = 0;                ///< which may have failed
  virtual void finish() = 0;                   ///< the last row; closes the log
  virtual std::unique_ptr<Log> takeLog() = 0;  ///< once it is finished
};

/// What a run steps: the robot of a scene, or a diagram around one or without. The command, the studio, FMUs, Python
/// and Octave make their steps with it: the state that goes in and out, the log and what a failure says are the same
/// everywhere.
///
///     SceneRunner runner(loadScene("scenes/icub.yaml"));
///     runner.startLog(makeLog("run.mcap"));
///     for (long long left = runner.stepsLeft(); left > 0 && runner.step(); --left) continue;
///     runner.finishLog();
class Runner {
 public:
  virtual ~Runner();

  virtual const SceneRun& plan() const = 0;            ///< how long, and what is kept
  virtual const std::string& source() const = 0;       ///< its file
  virtual double time() const = 0;                     ///< [s]
  virtual double stepSize() const = 0;                 ///< [s]
  long long stepsLeft() const;                         ///< until the end of the plan
  virtual RobotRun* robot() = 0;                       ///< null: there is none
  virtual Simulation* commanded() { return nullptr; }  ///< takes commands from outside; null: a diagram gives them
  /// Paths of the blocks of its diagram; none: a robot alone.
  virtual std::vector<std::string> blocks() const { return {}; }
  /// Which of them makes the steps of the robot; −1: none.
  virtual int robotBlock() const { return -1; }
  /// What was odd about the robot's file and the start, and what the scene says in vain.
  virtual std::vector<std::string> warnings() const = 0;

  /// One step, with its row of the log. False: the run ends here, see failure(). Throws Error where a block does, or
  /// where a step fails that has failed before.
  bool step();
  virtual bool robotMoved() const = 0;  ///< the last step was one of the robot, and has not failed
  virtual std::string failure() const = 0;

  /// Times of the next steps go to `stages`, and of the blocks of a diagram to `blocks`; null: nobody looks at a clock.
  /// Both must outlive the run.
  virtual void setProfile(StepProfile* stages, DiagramObserver* blocks) = 0;

  /// All that it remembers, exact to the last bit.
  virtual std::string save() const = 0;
  /// Throws Error when it was saved by another run; then it stays as it was. @param where what the error names
  virtual void restore(const std::string& bytes, const std::string& where) = 0;
  /// The same as files, as those of `footfall run --save-state`; throws LogError where they cannot be written.
  virtual void saveFiles(const std::string& path) const = 0;
  virtual void restoreFiles(const std::string& path) = 0;

  /// Every step from now on is a row of this log; throws LogError. A log that was there before is finished.
  void startLog(std::unique_ptr<Log> log, const RecordOptions& options = {});
  bool hasLog() const { return rows_ != nullptr; }
  /// The last row, where no step follows; closes the log and hands it out. Null where there was none. Throws LogError;
  /// the run then has no log any more.
  std::unique_ptr<Log> finishLog();
  /// The run pauses: what blocks write can be read. Throws CannotWrite.
  virtual void flush() {}
  /// No step follows: what blocks write is completed, of each of them whatever happens to others. Throws CannotWrite.
  virtual void finish() {}

 protected:
  Runner();
  Runner(const Runner&) : Runner() {}  ///< a copy has no log
  Runner& operator=(const Runner&) = delete;

  virtual bool advance() = 0;
  virtual std::unique_ptr<RunRows> makeRows(std::unique_ptr<Log> log, const RecordOptions& options) = 0;

 private:
  std::unique_ptr<RunRows> rows_;  ///< null: nothing is written down
};

/// The robot of a scene that has no diagram of its own.
class SceneRunner final : public Runner {
 public:
  explicit SceneRunner(const Scene& scene) : robot_(scene) {}

  InstrumentedSimulation& instrumented() { return robot_; }
  const InstrumentedSimulation& instrumented() const { return robot_; }
  Simulation& simulation() { return robot_.simulation(); }
  const Simulation& simulation() const { return robot_.simulation(); }

  const SceneRun& plan() const override { return robot_.scene().run; }
  const std::string& source() const override { return robot_.scene().source; }
  double time() const override { return robot_.state().time; }
  double stepSize() const override { return robot_.settings().step; }
  RobotRun* robot() override { return &robot_; }
  Simulation* commanded() override { return &robot_.simulation(); }
  std::vector<std::string> warnings() const override { return simulation().warnings(); }

  bool robotMoved() const override { return robot_.result().status != SolveStatus::failed; }
  std::string failure() const override { return simulation().describeFailure(); }
  void setProfile(StepProfile* stages, DiagramObserver*) override { simulation().setProfile(stages); }

  std::string save() const override;
  void restore(const std::string& bytes, const std::string& where) override;
  void saveFiles(const std::string& path) const override;
  void restoreFiles(const std::string& path) override;

 private:
  bool advance() override { return robot_.step().status != SolveStatus::failed; }
  std::unique_ptr<RunRows> makeRows(std::unique_ptr<Log> log, const RecordOptions& options) override;

  InstrumentedSimulation robot_;
};

}  // namespace footfall

#pragma once

#include <memory>

#include "footfall/log/log.hpp"
#include "footfall/run/robot_run.hpp"

namespace footfall {

/// Channels that somebody adds to those of the robot: the signals of a diagram.
class MoreChannels {
 public:
  virtual ~MoreChannels() = default;
  virtual void addTo(Log& log) = 0;      ///< before the log begins
  virtual void set(Log& log) const = 0;  ///< in every row
};

/// What is kept beside the channels that every log has.
struct RecordOptions {
  bool meshes = true;            ///< of the robot, where the format has room for them
  double scene_rate = 60.0;      ///< pictures of the robot for Foxglove, in MCAP logs; 0: none [1/s]
  bool warm_start = false;       ///< the solver's memory: then a run can go on from every row to the same bits
  MoreChannels* more = nullptr;  ///< behind the robot's; must outlive the recorder
  bool balance = true;           ///< energy, momentum, centre of mass: the only channels that must be computed
};

/// What a run writes down, whatever the log's format. A row belongs to the start of a step: the state there, and what
/// acts from there until the next one. The last row has a state only, because no step follows.
///
///     const auto log = makeLog("run.mcap");
///     RunRecorder recorder(*log, robot);
///     while (…) {
///       recorder.beforeStep(robot);
///       robot.step();
///       recorder.afterStep(robot);
///     }
///     recorder.finish(robot);
class RunRecorder {
 public:
  /// Adds notes, channels and what the run is made from, and begins the log, which must outlive the recorder; throws
  /// LogError.
  RunRecorder(Log& log, const RobotRun& robot, const RecordOptions& options = {});
  ~RunRecorder();
  RunRecorder(RunRecorder&&) noexcept;
  RunRecorder& operator=(RunRecorder&&) noexcept;

  /// Before a step.
  void beforeStep(const RobotRun& robot);
  /// After it.
  void afterStep(const RobotRun& robot);
  /// Instead of a step: the run ends here. Closes the log.
  void finish(const RobotRun& robot);
  void flush();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace footfall

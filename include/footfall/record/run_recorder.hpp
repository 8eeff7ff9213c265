#pragma once

#include <memory>

#include "footfall/log/log.hpp"
#include "footfall/sensor/instrumented_simulation.hpp"

namespace footfall {

/// What is kept beside the channels that every log has.
struct RecordOptions {
  bool meshes = true;        ///< of the robot, where the format has room for them
  double scene_rate = 60.0;  ///< pictures of the robot for Foxglove, in MCAP logs; 0: none [1/s]
  bool warm_start = false;   ///< the solver's memory: then a run can go on from every row to the same bits
};

/// What a run writes down, whatever the log's format. A row belongs to the start of a step: the state there, and what
/// acts from there until the next one. The last row has a state only, because no step follows.
///
///     const auto log = makeLog("run.mcap");
///     RunRecorder recorder(*log, robot);
///     while (…) {
///       recorder.beforeStep(robot.simulation());
///       robot.step();
///       recorder.afterStep(robot);
///     }
///     recorder.finish(robot.simulation());
class RunRecorder {
 public:
  /// Adds notes, channels and what the run is made from, and begins the log, which must outlive the recorder; throws
  /// LogError.
  RunRecorder(Log& log, const InstrumentedSimulation& robot, const RecordOptions& options = {});
  ~RunRecorder();
  RunRecorder(RunRecorder&&) noexcept;
  RunRecorder& operator=(RunRecorder&&) noexcept;

  /// Before a step.
  void beforeStep(const Simulation& simulation);
  /// After it.
  void afterStep(const InstrumentedSimulation& robot);
  /// Instead of a step: the run ends here. Closes the log.
  void finish(const Simulation& simulation);
  void flush();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace footfall

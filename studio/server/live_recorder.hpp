#pragma once

#include <memory>

#include "footfall/log/log.hpp"
#include "footfall/record/run_recorder.hpp"
#include "studio/server/memory_recording.hpp"

namespace footfall::studio {

/// Keeps in memory what a log of the same run would hold, and beside it what only a live view shows: contacts of every
/// kind with all that is known about them, and where the time of a step went.
class LiveRecorder {
 public:
  LiveRecorder(InstrumentedSimulation& robot, std::size_t most_bytes);
  ~LiveRecorder();

  const MemoryRecording& recording() const { return *recording_; }
  /// The simulation was made anew: its rows go on where the old ones ended, or from `time` on.
  void restart(InstrumentedSimulation& robot, double time);

  /// Also writes a log, until endLog() or restart(). Throws LogError.
  void logTo(const std::string& path, const std::vector<SceneOverride>& overrides, const InstrumentedSimulation& robot);
  void endLog(InstrumentedSimulation& robot);

  /// One step of the robot with its row. False when the step failed: then there is no row.
  bool step(InstrumentedSimulation& robot);

 private:
  class RowLog;
  void keepRow(InstrumentedSimulation& robot);

  std::unique_ptr<RowLog> log_;
  std::unique_ptr<RunRecorder> recorder_;
  std::unique_ptr<MemoryRecording> recording_;
  std::unique_ptr<Log> file_;  ///< may be null
  std::unique_ptr<RunRecorder> file_recorder_;
  StepProfile profile_;
  std::vector<double> values_;
  std::vector<ContactSample> contacts_;
};

}  // namespace footfall::studio

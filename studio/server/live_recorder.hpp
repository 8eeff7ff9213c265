#pragma once

#include <functional>
#include <memory>

#include "footfall/diagram/diagram_channels.hpp"
#include "studio/server/live_run.hpp"
#include "studio/server/memory_recording.hpp"

namespace footfall::studio {

/// Keeps in memory what a log of the same run would hold, and beside it what only a live view shows: contacts of every
/// kind with all that is known about them, the signals on the lines of the diagram, and where the time of a step went.
class LiveRecorder {
 public:
  LiveRecorder(LiveRun& run, std::size_t most_bytes);
  ~LiveRecorder();

  const MemoryRecording& recording() const { return *recording_; }
  MemoryRecording& recording() { return *recording_; }
  /// Names of the channels of each signal that is recorded.
  const std::map<std::string, std::vector<std::string>>& signals() const { return signals_->names(); }

  /// The run was made anew: its rows go on where the old ones ended, or from `time` on. Columns stay what they were:
  /// those that the new run does not have are empty.
  void restart(LiveRun& run, double time);
  /// Another run begins: nothing is left of the rows and columns of the one before.
  void begin(LiveRun& run);
  /// `run` goes on with these rows, which were taken back once; those that there are now take their place.
  void swap(MemoryRecording& rows, LiveRun& run);

  /// Also writes a log, until endLog() or restart(). Throws LogError. One that cannot be written any further is told to
  /// `failed` (which may be empty) and thrown once, and the run goes on without it.
  void logTo(const std::string& path, const std::vector<SceneOverride>& overrides, const LiveRun& run,
             std::function<void(const LogError&)> failed);
  void endLog(LiveRun& run);

  /// One step of the robot, at which somebody pulls, with its row. False when it was stopped: then there is no row.
  bool step(LiveRun& run, const std::vector<ExternalWrench>& pulls);

 private:
  class RowLog;
  void findPlaces(const LiveRun& run);
  void keepRow(const LiveRun& run, std::size_t pulls);
  void toFile(const std::function<void(RunRecorder&)>& write);
  void closeFile();

  std::unique_ptr<RowLog> log_;
  std::unique_ptr<SignalChannels> signals_;
  std::unique_ptr<RunRecorder> recorder_;
  std::unique_ptr<MemoryRecording> recording_;
  std::unique_ptr<Log> file_;  ///< may be null
  std::unique_ptr<SignalChannels> file_signals_;
  std::unique_ptr<RunRecorder> file_recorder_;
  std::function<void(const LogError&)> file_failed_;
  std::vector<int> place_;      ///< of each column of the recording in the run's own; −1: the run does not have it
  std::vector<double> values_;  ///< of the run's own columns
  std::vector<double> row_;     ///< of the recording's
  std::vector<ContactSample> contacts_;
  std::vector<PushSample> pushes_;
  std::vector<std::string> tie_names_;  ///< of the scene
  std::vector<TieSample> ties_;
};

}  // namespace footfall::studio

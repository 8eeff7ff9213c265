#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "footfall/diagram/diagram_channels.hpp"
#include "footfall/robot_block/diagram_robot.hpp"

namespace footfall {

/// The log of a diagram that runs. With a robot: what every log of a robot holds, in a row for each of its steps, and
/// the signals that the file asks for. Without: signals only, in a row for each period that the file names.
///
///     DiagramLog log(makeLog("run.mcap"), source, context, &robot);   // null: no robot
///     while (…) {
///       log.beforeStep();
///       source.diagram.step(context);
///       log.afterStep();
///     }
///     log.finish();
class DiagramLog {
 public:
  /// Begins the log; throws LogError. Source, context and robot must outlive it.
  DiagramLog(std::unique_ptr<Log> log, const DiagramSource& source, Context& context, DiagramRobot* robot,
             RecordOptions options = {});

  void beforeStep();
  /// Also after a step that a block has stopped.
  void afterStep();
  /// The last row, where no step follows; closes the log.
  void finish();

  /// Once it is finished.
  std::unique_ptr<Log> takeLog() { return std::move(log_); }

 private:
  void beginWithRobot(RecordOptions options);
  void beginWithoutRobot();
  void writeRow();

  const DiagramSource& source_;
  Context& context_;
  DiagramRobot* robot_;
  std::unique_ptr<Log> log_;
  std::unique_ptr<SignalChannels> signals_;
  std::optional<RunRecorder> recorder_;  ///< with a robot
  ChannelHandle time_;                   ///< without
  long long rows_every_;                 ///< without: steps
  long long steps_ = 0;                  ///< that were made
  std::int64_t ticks_before_ = 0;        ///< of the context, before the step under way
  bool robot_moves_ = false;             ///< in the step under way
};

}  // namespace footfall

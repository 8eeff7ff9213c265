#include "footfall/diagram/diagram_log.hpp"

#include "footfall/base/version.hpp"
#include "footfall/diagram/all_blocks.hpp"
#include "footfall/record/internal/rows_of_log.hpp"

namespace footfall {

DiagramLog::DiagramLog(std::unique_ptr<Log> log, const DiagramSource& source, Context& context, DiagramRobot* robot,
                       RecordOptions options)
    : source_(source),
      context_(context),
      robot_(robot),
      log_(std::move(log)),
      rows_every_(stepsPerRow(source.run, source.diagram.settings().step)) {
  if (robot_ != nullptr)
    beginWithRobot(options);
  else
    beginWithoutRobot();
}

void DiagramLog::beginWithRobot(RecordOptions options) {
  if (log_->keepsAttachments())
    signals_ = std::make_unique<DiagramChannels>(source_, context_, allBlocks());
  else  // nobody would see the drawing
    signals_ = std::make_unique<SignalChannels>(context_, askedSignals(source_.diagram, source_.text.log));
  options.more = signals_.get();
  recorder_.emplace(*log_, *robot_, options);
}

void DiagramLog::beginWithoutRobot() {
  log_->addNote("footfall", version());
  log_->addNote("diagram", source_.text.source);
  log_->addNote("rows", "the signals at `time`");
  time_ = log_->add({"time", "s", {}});
  signals_ = std::make_unique<SignalChannels>(context_, loggedSignals(source_.diagram, source_.text.log),
                                              SignalChannels::Options{.group = ""});
  signals_->addTo(*log_);
  log_->begin();
}

void DiagramLog::beforeStep() {
  ticks_before_ = context_.ticks();
  robot_moves_ = robot_ != nullptr && robot_->due();
  if (robot_moves_) recorder_->beforeStep(*robot_);
}

void DiagramLog::afterStep() {
  if (robot_moves_ && context_.ticks() != ticks_before_) recorder_->afterStep(*robot_);
  if (!recorder_ && steps_ % rows_every_ == 0) writeRow();
  ++steps_;
}

void DiagramLog::writeRow() {
  log_->set(time_, context_.signalTime());
  signals_->set(*log_);
  log_->endRow();
}

void DiagramLog::finish() {
  const bool stopped = !context_.stopReason().empty();
  if (!stopped) source_.diagram.evaluate(context_);
  if (recorder_) return recorder_->finish(*robot_);
  if (!stopped) writeRow();
  log_->close();
}

}  // namespace footfall

#include "studio/server/live_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "footfall/diagram/all_blocks.hpp"
#include "studio/server/column_finder.hpp"
#include "studio/server/samples.hpp"

namespace footfall::studio {
namespace {

constexpr const char* kProfileUnit = "µs";
constexpr int kMostOfASignal = 64;  ///< numbers of each signal of the diagram that are kept

/// Channels of a log, then the times of stages and blocks.
std::vector<Column> columnsOf(const Log& log, const Diagram& diagram) {
  std::vector<Column> columns = columnsOf(log.channels());
  for (int stage = 0; stage < kStepStages; ++stage)
    columns.push_back({fmt::format("stage.{}", nameOf(static_cast<StepStage>(stage))), kProfileUnit});
  for (const Diagram::BlockInfo& block : diagram.blocks()) columns.push_back({"block." + block.path, kProfileUnit});
  return columns;
}

/// Those on the lines but the state of the robot, which every row has, and those that a log would hold.
std::vector<std::string> liveSignals(const DiagramSource& source) {
  std::vector<std::string> signals = signalsOnLines(source.diagram);
  const std::string robot = robotOf(source.diagram);
  std::erase_if(signals, [&](const std::string& name) { return name == robot + ".q" || name == robot + ".nu"; });
  signals.insert(signals.end(), source.text.log.begin(), source.text.log.end());
  return signals;
}

}  // namespace

/// A log that keeps its last row only.
class LiveRecorder::RowLog : public Log {
 public:
  void flush() override {}
  void close() override {}
  const std::vector<double>& row() const { return row_; }

 protected:
  void writeHeader(const LogNotes&, const std::vector<Channel>&, const std::vector<Attachment>&) override {}
  void writeRow(const std::vector<double>& values) override { row_ = values; }

 private:
  std::vector<double> row_;
};

LiveRecorder::LiveRecorder(LiveRun& run, std::size_t most_bytes) {
  restart(run, 0.0);
  recording_ = std::make_unique<MemoryRecording>(columnsOf(*log_, run.source().diagram), most_bytes);
  findPlaces(run);
}
LiveRecorder::~LiveRecorder() = default;

void LiveRecorder::logTo(const std::string& path, const std::vector<SceneOverride>& overrides, const LiveRun& run,
                         std::function<void(const LogError&)> failed) {
  file_failed_ = std::move(failed);
  file_ = makeLog(path);
  for (const auto& [key, value] : overrides) file_->addNote("set " + key, value);
  RecordOptions options;
  if (run.source().text.given()) {
    file_signals_ = std::make_unique<DiagramChannels>(run.source(), run.context(), allBlocks());
    options.more = file_signals_.get();
  }
  file_recorder_ = std::make_unique<RunRecorder>(*file_, run.robot(), options);
}

void LiveRecorder::endLog(LiveRun& run) {
  if (!file_recorder_) return;
  run.evaluate();
  toFile([&](RunRecorder& recorder) { recorder.finish(run.robot()); });
  file_recorder_.reset();
  file_.reset();
}

/// Where there is a log.
void LiveRecorder::toFile(const std::function<void(RunRecorder&)>& write) {
  if (!file_recorder_) return;
  try {
    write(*file_recorder_);
  } catch (const LogError& error) {
    file_recorder_.reset();
    file_.reset();
    if (file_failed_) file_failed_(error);
    throw;
  }
}

void LiveRecorder::closeFile() {
  toFile([this](RunRecorder&) { file_->close(); });
  file_recorder_.reset();
  file_.reset();
}

void LiveRecorder::restart(LiveRun& run, double time) {
  // All that may fail comes first: then everything goes on as it was, but for a log that cannot take back rows.
  closeFile();
  auto log = std::make_unique<RowLog>();
  auto signals = std::make_unique<SignalChannels>(run.context(), liveSignals(run.source()),
                                                  SignalChannels::Options{.most = kMostOfASignal});
  RecordOptions options;
  options.more = signals.get();
  recorder_ = std::make_unique<RunRecorder>(*log, run.robot(), options);
  signals_ = std::move(signals);
  log_ = std::move(log);
  if (recording_) recording_->truncate(time);
  if (recording_) findPlaces(run);
}

void LiveRecorder::begin(LiveRun& run) {
  restart(run, -std::numeric_limits<double>::infinity());
  recording_->restart(columnsOf(*log_, run.source().diagram));
  findPlaces(run);
}

void LiveRecorder::swap(MemoryRecording& rows, LiveRun& run) {
  restart(run, std::numeric_limits<double>::infinity());
  recording_->swap(rows);
  findPlaces(run);
}

void LiveRecorder::findPlaces(const LiveRun& run) {
  const std::vector<Column> columns = columnsOf(*log_, run.source().diagram);
  const ColumnFinder own(columns);
  tie_names_ = record::tieNames(run.scene());
  place_.resize(recording_->columns().size());
  for (std::size_t c = 0; c < place_.size(); ++c) place_[c] = own.find(recording_->columns()[c].name);
}

bool LiveRecorder::step(LiveRun& run, const std::vector<ExternalWrench>& pulls) {
  run.robot().setPulls(pulls);
  recorder_->beforeStep(run.robot());
  toFile([&](RunRecorder& recorder) { recorder.beforeStep(run.robot()); });
  if (!run.step()) return false;
  recorder_->afterStep(run.robot());
  keepRow(run, pulls.size());
  toFile([&](RunRecorder& recorder) { recorder.afterStep(run.robot()); });
  return true;
}

/// @param pulls how many of the wrenches, which come first, are those of the mouse
void LiveRecorder::keepRow(const LiveRun& run, std::size_t pulls) {
  constexpr double kMicroseconds = 1e6;
  const StepResult& result = run.robot().result();
  values_ = log_->row();
  for (const double seconds : run.stageTimes().seconds) values_.push_back(kMicroseconds * seconds);
  for (const double seconds : run.blockTimes().seconds()) values_.push_back(kMicroseconds * seconds);
  row_.clear();
  for (const int place : place_)
    row_.push_back(place < 0 ? std::numeric_limits<double>::quiet_NaN() : values_[static_cast<std::size_t>(place)]);
  contacts_.clear();
  for (const ContactReport& report : result.contacts) contacts_.push_back(sampleOf(report));
  pushes_.clear();
  for (const ExternalWrench& wrench : run.robot().wrenches())
    pushes_.push_back(sampleOf(wrench, pushes_.size() < pulls));
  ties_.clear();
  const std::vector<Loop>& ties = result.next.ties;
  const std::size_t loops = result.loop_wrenches.size() - ties.size();  // come first
  for (std::size_t k = 0; k < ties.size(); ++k)
    ties_.push_back(sampleOf(ties[k], result.loop_wrenches[loops + k], tie_names_));
  recording_->append(row_, contacts_, result.impact, pushes_, ties_);
}

}  // namespace footfall::studio

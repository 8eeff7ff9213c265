#include "studio/server/live_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace footfall::studio {
namespace {

constexpr const char* kProfileUnit = "µs";

ContactSample sampleOf(const ContactReport& report) {
  ContactSample sample;
  sample.candidate = report.candidate;
  sample.mode = static_cast<double>(report.mode);
  sample.gap = report.gap;
  sample.friction = report.friction;
  const auto copy = [](const Vector3d& from, double* to) { std::copy_n(from.data(), 3, to); };
  copy(report.p_WC, sample.p_WC);
  copy(report.R_WC.col(2), sample.normal_W);
  copy(report.force_W, sample.force_W);
  copy(report.impulse_W, sample.impulse_W);
  copy(report.velocity_C, sample.slip_velocity_C);
  return sample;
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

LiveRecorder::LiveRecorder(InstrumentedSimulation& robot, std::size_t most_bytes) {
  restart(robot, 0.0);
  std::vector<Column> columns;
  for (const Channel& channel : log_->channels()) {
    if (channel.components.empty()) columns.push_back({channel.name, channel.unit});
    for (const std::string& component : channel.components)
      columns.push_back({channel.name + "." + component, channel.unit});
  }
  for (int stage = 0; stage < kStepStages; ++stage)
    columns.push_back({fmt::format("stage.{}", nameOf(static_cast<StepStage>(stage))), kProfileUnit});
  recording_ = std::make_unique<MemoryRecording>(std::move(columns), most_bytes);
}
LiveRecorder::~LiveRecorder() = default;

void LiveRecorder::logTo(const std::string& path, const std::vector<SceneOverride>& overrides,
                         const InstrumentedSimulation& robot) {
  file_ = makeLog(path);
  for (const auto& [key, value] : overrides) file_->note("set " + key, value);
  file_recorder_ = std::make_unique<RunRecorder>(*file_, robot);
}

void LiveRecorder::endLog(InstrumentedSimulation& robot) {
  if (!file_recorder_) return;
  file_recorder_->finish(robot.simulation());
  file_recorder_.reset();
  file_.reset();
}

void LiveRecorder::restart(InstrumentedSimulation& robot, double time) {
  if (recording_) recording_->truncate(time);
  if (file_) file_->close();
  file_recorder_.reset();
  file_.reset();
  recorder_.reset();
  log_ = std::make_unique<RowLog>();
  recorder_ = std::make_unique<RunRecorder>(*log_, robot);
  robot.simulation().setProfile(&profile_);
}

bool LiveRecorder::step(InstrumentedSimulation& robot) {
  recorder_->beforeStep(robot.simulation());
  if (file_recorder_) file_recorder_->beforeStep(robot.simulation());
  if (robot.step().status == SolveStatus::failed) return false;
  recorder_->afterStep(robot);
  if (file_recorder_) file_recorder_->afterStep(robot);
  keepRow(robot);
  return true;
}

void LiveRecorder::keepRow(InstrumentedSimulation& robot) {
  const StepResult& result = robot.simulation().result();
  values_ = log_->row();
  for (const double seconds : profile_.seconds) values_.push_back(1e6 * seconds);
  contacts_.clear();
  for (const ContactReport& report : result.contacts) contacts_.push_back(sampleOf(report));
  recording_->append(values_, contacts_, result.impact);
}

}  // namespace footfall::studio

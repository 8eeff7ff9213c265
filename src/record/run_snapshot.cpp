#include "footfall/record/run_snapshot.hpp"

#include <cmath>

#include "footfall/record/run_recorder.hpp"

namespace footfall {
namespace {

/// A log of which only the last row is kept.
class LastRow : public Log {
 public:
  void flush() override {}
  void close() override {}
  std::span<const double> values() const { return values_; }

 protected:
  void writeHeader(const LogNotes&, const std::vector<Channel>&, const std::vector<Attachment>&) override {}
  void writeRow(const std::vector<double>& values) override {
    values_.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) values_[i] = std::isnan(values[i]) ? 0.0 : values[i];
  }

 private:
  std::vector<double> values_;
};

}  // namespace

struct RunSnapshot::Parts {
  explicit Parts(const RobotRun& robot) : recorder(row, robot) {}
  LastRow row;
  RunRecorder recorder;
};

RunSnapshot::RunSnapshot(const RobotRun& robot) : parts_(std::make_unique<Parts>(robot)) {}
RunSnapshot::~RunSnapshot() = default;
RunSnapshot::RunSnapshot(RunSnapshot&&) noexcept = default;
RunSnapshot& RunSnapshot::operator=(RunSnapshot&&) noexcept = default;

const std::vector<Channel>& RunSnapshot::channels() const { return parts_->row.channels(); }

std::span<const double> RunSnapshot::take(const RobotRun& robot, bool has_stepped) {
  parts_->recorder.beforeStep(robot);
  if (has_stepped) {
    parts_->recorder.afterStep(robot);
  } else {
    parts_->row.endRow();
  }
  return parts_->row.values();
}

}  // namespace footfall

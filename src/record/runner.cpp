#include "footfall/record/runner.hpp"

#include <utility>

#include "footfall/base/internal/steps_within.hpp"

namespace footfall {

Runner::Runner() = default;
Runner::~Runner() = default;

long long Runner::stepsLeft() const { return stepsWithin(plan().duration - time(), stepSize()); }

bool Runner::step() {
  if (rows_) rows_->beforeStep();
  const bool goes_on = advance();
  if (rows_) rows_->afterStep();
  return goes_on;
}

void Runner::startLog(std::unique_ptr<Log> log, const RecordOptions& options) {
  finishLog();
  rows_ = makeRows(std::move(log), options);
}

std::unique_ptr<Log> Runner::finishLog() {
  if (!rows_) return nullptr;
  const std::unique_ptr<RunRows> rows = std::move(rows_);
  rows->finish();
  return rows->takeLog();
}

}  // namespace footfall

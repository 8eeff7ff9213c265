#pragma once

#include <chrono>

#include "footfall/step/step.hpp"

namespace footfall {

/// Measures the stages of a step; without a profile it looks at no clock.
class StageClock {
 public:
  explicit StageClock(StepProfile* profile) : profile_(profile) {
    if (profile_ == nullptr) return;
    profile_->seconds.fill(0.0);
    last_ = Clock::now();
  }

  /// A stage has ended, and the next one begins.
  void ended(StepStage stage) {
    if (profile_ == nullptr) return;
    const Clock::time_point now = Clock::now();
    profile_->seconds[static_cast<std::size_t>(stage)] = std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  using Clock = std::chrono::steady_clock;
  StepProfile* profile_;
  Clock::time_point last_;
};

}  // namespace footfall

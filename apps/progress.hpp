#pragma once

#include <chrono>

namespace footfall::command {

/// Tells a waiting human how a run goes: one line that is redrawn on a terminal, now and then a line elsewhere.
class Progress {
 public:
  Progress(double start, double end, bool quiet);

  /// Call after each step.
  void update(double time, int contacts);

  /// The run has ended: leaves the last line where it is. Returns how long it took [s].
  double finish(double time, int contacts);

 private:
  using Clock = std::chrono::steady_clock;
  double wallSeconds() const;
  void draw(double time, int contacts) const;

  double start_, end_;  ///< simulated [s]
  bool live_, quiet_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_line_ = begin_;
};

}  // namespace footfall::command

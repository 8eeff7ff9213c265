#pragma once

#include <chrono>

namespace footfall::command {

/// Tells a waiting human how a run goes: one line that is redrawn on a terminal, now and then a line elsewhere.
class Progress {
 public:
  Progress(double start, double end, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Call after each step. True when something was drawn: about ten times a second on a terminal.
  bool update(double time, int contacts);

  double wallSeconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  void draw(double time, int contacts) const;

  double start_, end_;  ///< simulated [s]
  bool live_, quiet_;
  Clock::duration period_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_;
};

}  // namespace footfall::command

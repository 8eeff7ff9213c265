#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace footfall::real_time {

/// Lets a run keep to the clock: step k ends k steps after the start, on a grid that does not drift.
///
/// A step that takes too long misses its deadline; those after it follow at once until the run has caught up.
class Pacer {
 public:
  /// @param step simulated time of a step [s]
  explicit Pacer(double step);

  /// The clock starts here.
  void start();
  /// After a step: waits for its deadline. False when `stop` says so: it is asked whenever a signal ends a wait.
  bool wait(const std::function<bool()>& stop);

  std::int64_t steps() const { return steps_; }
  std::int64_t missed() const { return missed_; }           ///< deadlines that had passed when the step was done
  double meanJitter() const;                                ///< wakes after deadlines, mean of those that were kept [s]
  double worstJitter() const { return worst_jitter_; }      ///< [s]
  double worstLateness() const { return worst_lateness_; }  ///< of a step that missed its deadline [s]

  /// "1000 steps to the clock, 0 deadlines missed; woken 0.1 ms late on average, 0.5 ms at most".
  std::string summary() const;

 private:
  double step_;
  std::int64_t start_ns_ = 0, steps_ = 0, missed_ = 0;
  double sum_jitter_ = 0.0, worst_jitter_ = 0.0, worst_lateness_ = 0.0;
};

}  // namespace footfall::real_time

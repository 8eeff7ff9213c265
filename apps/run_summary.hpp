#pragma once

#include <map>
#include <string>

#include "footfall/run/robot_run.hpp"

namespace footfall::command {

/// Counts what happens during a run, for the report at its end.
class RunSummary {
 public:
  explicit RunSummary(const RobotRun& robot);

  void count(const StepResult& result);
  /// The report; the robot has come to its end.
  std::string text(const RobotRun& robot, double wall_seconds) const;

 private:
  std::string supportLine(const RobotRun& robot) const;
  std::string baseLine(const State& end, const Model& model) const;
  std::string orderLine() const;

  State start_;
  Energy start_energy_;
  long long steps_ = 0, iterations_ = 0, inaccurate_ = 0, impacts_ = 0;
  std::map<int, long long> steps_of_order_;  ///< of accuracy
  int most_iterations_ = 0;
  double worst_residual_ = 0.0;  ///< [m/s]
};

}  // namespace footfall::command

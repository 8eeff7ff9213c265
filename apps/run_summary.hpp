#pragma once

#include <map>
#include <string>

#include "footfall/run/simulation.hpp"

namespace footfall::command {

/// Counts what happens during a run, for the report at its end.
class RunSummary {
 public:
  explicit RunSummary(Simulation& simulation);

  void count(const StepResult& result);
  /// The report; `simulation` has come to its end.
  std::string text(Simulation& simulation, double wall_seconds) const;

 private:
  std::string supportLine(const Simulation& simulation) const;
  std::string orderLine() const;

  State start_;
  Energy start_energy_;
  long long steps_ = 0, iterations_ = 0, inaccurate_ = 0, impacts_ = 0;
  std::map<int, long long> steps_of_order_;  ///< of accuracy
  int most_iterations_ = 0;
  double worst_residual_ = 0.0;  ///< [m/s]
};

}  // namespace footfall::command

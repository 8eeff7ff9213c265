#include "run_log.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "overrides.hpp"

namespace footfall::command {

std::unique_ptr<Log> makeRunLog(const std::string& path, const RunOptions& options) {
  auto log = makeLog(path);
  for (const auto& [key, value] : overridesOf(options)) log->addNote("set " + key, value);
  if (!options.state.empty()) log->addNote("started from", options.state);
  return log;
}

RecordOptions recordOptions(const RunOptions& options) {
  return {options.log_meshes, options.log_scene_rate, options.log_warm_start};
}

void printLog(const Log& log, const std::string& path, double wall_seconds) {
  fmt::print("  {:<14} {}\n", "log", path);
  constexpr double kWorthTelling = 0.5;  // [s]; also more than a twentieth of the run
  const double waited = log.secondsWaited();
  if (waited > std::max(kWorthTelling, 0.05 * wall_seconds))
    fmt::print("  {:<14} for {:.2g} s until rows were compressed and on the disk; run.log_period thins them\n",
               "waited", waited);
}

}  // namespace footfall::command

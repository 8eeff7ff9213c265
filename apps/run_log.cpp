#include "run_log.hpp"

#include "overrides.hpp"

namespace footfall::command {

std::unique_ptr<Log> makeRunLog(const std::string& path, const RunOptions& options) {
  auto log = makeLog(path);
  for (const auto& [key, value] : overridesOf(options)) log->note("set " + key, value);
  if (!options.state.empty()) log->note("started from", options.state);
  return log;
}

RecordOptions recordOptions(const RunOptions& options) {
  return {options.log_meshes, options.log_scene_rate, options.log_warm_start};
}

}  // namespace footfall::command

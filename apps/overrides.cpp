#include "overrides.hpp"

#include "footfall/base/error.hpp"

namespace footfall::command {

std::vector<SceneOverride> parseOverrides(const std::vector<std::string>& texts) {
  std::vector<SceneOverride> overrides;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error("--set " + text, "expected KEY=VALUE", "for example: --set physics.solver=osqp");
    overrides.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return overrides;
}

std::vector<SceneOverride> overridesOf(const RunOptions& options) {
  std::vector<SceneOverride> overrides = parseOverrides(options.overrides);
  if (!options.duration.empty()) overrides.emplace_back("run.duration", options.duration);
  return overrides;
}

}  // namespace footfall::command

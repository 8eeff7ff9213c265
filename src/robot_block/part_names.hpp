#pragma once

#include <string>
#include <vector>

#include "footfall/base/plugin.hpp"
#include "footfall/block/parameters.hpp"

namespace footfall {

/// The name of an engine, a solver …: one of the built-in ones, or a plug-in of this kind that is there. Throws Error
/// with the place of the parameter and the nearest name.
inline std::string partNamed(const Parameters& parameters, const std::string& key, std::vector<std::string> built_in,
                             const std::string& fallback) {
  if (!parameters.has(key)) return fallback;
  for (const std::string& plugin : pluginNames(key)) built_in.push_back(plugin);
  return parameters.choice(key, built_in);
}

inline std::string engineNamed(const Parameters& parameters, const std::string& fallback) {
  return partNamed(parameters, "engine", {"native"}, fallback);
}

}  // namespace footfall

#pragma once

#include <string>
#include <vector>

namespace footfall {

/// Optional parts are shared libraries that are opened only when they are asked for by name:
/// libfootfall_<kind>_<name>.so, with kind `engine` or `solver`. They are looked for in the folders of
/// FOOTFALL_PLUGIN_PATH (colon-separated), then beside libfootfall itself, in footfall/plugins/.
/// Each exports `const char* footfall_plugin_version()`, which must return this library's version, and the
/// maker that its kind asks for.

/// Address of a symbol of a plug-in; throws Error that says what was looked for and what is there.
void* pluginSymbol(const std::string& kind, const std::string& name, const char* symbol);

struct PluginInfo {
  std::string kind, name, path;
  std::string problem;  ///< empty when it can be loaded
};

/// Every plug-in on the search path; opens each of them to see whether it works.
std::vector<PluginInfo> findPlugins();

}  // namespace footfall

#pragma once

#include <exception>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "footfall/base/error.hpp"

namespace footfall {

/// Optional parts are shared libraries that are opened only when they are asked for by name:
/// libfootfall_<kind>_<name>.so, with kind `engine`, `solver`, `contact`, `integrator`, `terrain` or `block`. They are
/// looked for in the folders of FOOTFALL_PLUGIN_PATH (colon-separated), then beside libfootfall itself, in
/// footfall/plugins/. Each exports `const char* footfall_plugin_version()`, which must return this library's version,
/// `const char* footfall_plugin_build()`, which must say that it was compiled with the same headers and Eigen
/// (footfall/base/plugin_identity.hpp), and the maker that its kind asks for: macros such as FOOTFALL_SOLVER(MySolver)
/// write all three. See docs/plugins.md.

/// Address of a symbol of a plug-in; throws Error that says what was looked for and what is there.
void* pluginSymbol(const std::string& kind, const std::string& name, const char* symbol);

/// Is there a file of this name? It is not opened.
bool hasPlugin(const std::string& kind, const std::string& name);

/// Names of the plug-ins of a kind that are there; they are not opened.
std::vector<std::string> pluginNames(const std::string& kind);

/// Calls the maker of a plug-in; what goes wrong in there becomes an Error that names the plug-in.
template <class Made, class... Arguments>
std::unique_ptr<Made> makeFromPlugin(const std::string& kind, const std::string& name, const char* symbol,
                                     const Arguments&... arguments);

struct PluginInfo {
  std::string kind, name, path;
  std::string problem;  ///< empty when it can be loaded
};

/// Every plug-in on the search path; opens each of them to see whether it works.
std::vector<PluginInfo> findPlugins();

// --- inside ---------------------------------------------------------------------------------------------------------

/// The error for a maker that has thrown something, or given nothing.
Error pluginFailure(const std::string& kind, const std::string& name, const std::string& problem);

/// What a user can do about what a plug-in has thrown.
inline constexpr const char* kHintOfPlugin = "this comes from the plug-in; its author can tell more";

/// The error for a part that has thrown something while it was used, or returned what cannot be.
Error pluginFault(const std::string& kind, const std::string& name, const std::string& problem);

/// Calls into a plug-in. Whatever is thrown in there, and is no Error already, becomes what `describe` makes of its
/// text: an exception of somebody else's code is no bug of this library, and one that is no std::exception would end
/// the process.
template <class Call, class Describe>
decltype(auto) callPlugin(Call&& call, Describe&& describe) {
  try {
    return call();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& problem) {
    throw describe(std::string(problem.what()));
  } catch (...) {
    throw describe(std::string("something that is no std::exception"));
  }
}

template <class Made, class... Arguments>
std::unique_ptr<Made> makeFromPlugin(const std::string& kind, const std::string& name, const char* symbol,
                                     const Arguments&... arguments) {
  using Maker = Made* (*)(const Arguments&...);
  const auto make = reinterpret_cast<Maker>(pluginSymbol(kind, name, symbol));
  const auto failure = [&](const std::string& problem) { return pluginFailure(kind, name, problem); };
  std::unique_ptr<Made> made(callPlugin([&] { return make(arguments...); }, failure));
  if (made == nullptr) throw pluginFailure(kind, name, "it has made nothing");
  return made;
}

}  // namespace footfall

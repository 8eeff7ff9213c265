#include "footfall/base/plugin.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <tuple>

#include "footfall/base/error.hpp"
#include "footfall/base/library_folder.hpp"
#include "footfall/base/plugin_identity.hpp"
#include "footfall/base/suggest.hpp"
#include "footfall/base/version.hpp"

namespace footfall {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kPrefix = "libfootfall_";
constexpr std::string_view kSuffix = ".so";

std::vector<fs::path> searchFolders() {
  std::vector<fs::path> folders;
  if (const char* variable = std::getenv("FOOTFALL_PLUGIN_PATH")) {
    std::stringstream list(variable);
    for (std::string folder; std::getline(list, folder, ':');)
      if (!folder.empty()) folders.emplace_back(folder);
  }
  folders.push_back(libraryFolder() / "footfall" / "plugins");
  return folders;
}

/// Objects of a plug-in that was compiled otherwise would be read beyond their ends. Empty: it was not.
std::string otherBuild(const char* build) {
  constexpr std::string_view kOwn = FOOTFALL_PLUGIN_BUILD;
  if (build == kOwn) return {};
  const auto headers = [](std::string_view text) { return text.substr(0, text.find(',')); };
  return fmt::format("it was built with {}, this library with {}: {}", build, kOwn,
                     headers(build) != headers(kOwn) ? "build it anew with the headers that belong to this library"
                                                     : "build it anew with the same Eigen, and without options such as "
                                                       "-march=native, with which it aligns memory otherwise");
}

/// Opens a plug-in and checks that it was made for this library; returns null and says why otherwise.
void* open(const fs::path& path, std::string& problem) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    problem = dlerror();
    return nullptr;
  }
  using Text = const char* (*)();
  const auto plugin_version = reinterpret_cast<Text>(dlsym(library, "footfall_plugin_version"));
  const auto plugin_build = reinterpret_cast<Text>(dlsym(library, "footfall_plugin_build"));
  if (plugin_version == nullptr) {
    problem = "it does not export footfall_plugin_version()";
  } else if (std::string_view(plugin_version()) != version()) {
    problem = fmt::format("it was built for version {}, this is {}", plugin_version(), version());
  } else if (plugin_build == nullptr) {
    problem = "it does not say which headers it was built with (footfall_plugin_build()): build it anew";
  } else if (problem = otherBuild(plugin_build()); problem.empty()) {
    return library;  // stays open for the life of the process: objects of its classes may live that long
  }
  dlclose(library);
  return nullptr;
}

/// What asks a plug-in of this kind for its part; null for kinds that are not there.
const char* makerOf(const std::string& kind) {
  static const std::map<std::string, const char*> kMakers = {
      {"engine", "footfall_make_engine"},         {"solver", "footfall_make_solver"},
      {"contact", "footfall_make_contact_model"}, {"integrator", "footfall_make_integrator"},
      {"terrain", "footfall_make_terrain"},       {"block", "footfall_add_blocks"}};
  const auto found = kMakers.find(kind);
  return found == kMakers.end() ? nullptr : found->second;
}

/// Why nothing can be made of a plug-in that could be opened; empty: something can.
std::string missingMaker(void* library, const std::string& kind) {
  const char* maker = makerOf(kind);
  return maker == nullptr || dlsym(library, maker) != nullptr ? "" : fmt::format("it does not export {}()", maker);
}

/// kind and name of a file that is called like a plug-in.
std::optional<std::pair<std::string, std::string>> kindAndName(const fs::path& path) {
  const std::string file = path.filename().string();
  if (!file.starts_with(kPrefix) || !file.ends_with(kSuffix)) return std::nullopt;
  const std::string stem = file.substr(kPrefix.size(), file.size() - kPrefix.size() - kSuffix.size());
  const auto split = stem.find('_');
  if (split == std::string::npos) return std::nullopt;
  return std::pair{stem.substr(0, split), stem.substr(split + 1)};
}

/// The file of a plug-in; empty when there is none.
fs::path fileOf(const std::string& kind, const std::string& name) {
  if (name.find('/') != std::string::npos) return {};  // a name, not a way out of the folders
  const std::string file = fmt::format("{}{}_{}{}", kPrefix, kind, name, kSuffix);
  for (const fs::path& folder : searchFolders()) {
    std::error_code ignored;
    if (fs::exists(folder / file, ignored)) return folder / file;
  }
  return {};
}

std::string listFound(const std::string& kind) {
  std::string names;
  for (const PluginInfo& plugin : findPlugins())
    if (plugin.kind == kind && plugin.problem.empty()) names += (names.empty() ? "" : ", ") + plugin.name;
  return names.empty() ? "none" : names;
}

}  // namespace

fs::path libraryFolder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&libraryFolder), &info) == 0 || info.dli_fname == nullptr) return {};
  return fs::weakly_canonical(info.dli_fname).parent_path();
}

void* pluginSymbol(const std::string& kind, const std::string& name, const char* symbol) {
  const fs::path file = fileOf(kind, name);
  if (file.empty()) {
    std::vector<std::string> known = pluginNames(kind);
    known.insert(known.begin(), "native");
    const std::string guess = nearestNames(name, known).empty() ? "" : suggestOrList(name, known) + " ";
    throw Error("", fmt::format("there is no {} '{}'; found: native, and as plug-ins: {}", kind, name, listFound(kind)),
                guess +
                    "Plug-ins are looked for in FOOTFALL_PLUGIN_PATH and beside libfootfall; `footfall doctor` "
                    "lists them");
  }
  std::string problem;
  void* library = open(file, problem);
  if (library == nullptr) {
    throw Error(file.string(), fmt::format("the {} '{}' cannot be loaded: {}", kind, name, problem),
                "`footfall doctor` lists what is there and why something is not");
  }
  if (void* address = dlsym(library, symbol)) return address;
  throw Error(file.string(), fmt::format("the {} '{}' does not export {}()", kind, name, symbol));
}

bool hasPlugin(const std::string& kind, const std::string& name) { return !fileOf(kind, name).empty(); }

std::vector<std::string> pluginNames(const std::string& kind) {
  std::set<std::string> names;
  for (const fs::path& folder : searchFolders()) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
      if (const auto found = kindAndName(entry.path()); found && found->first == kind) names.insert(found->second);
  }
  return {names.begin(), names.end()};
}

Error pluginFailure(const std::string& kind, const std::string& name, const std::string& problem) {
  return Error(fileOf(kind, name).string(), fmt::format("the {} '{}' could not be made: {}", kind, name, problem));
}

Error pluginFault(const std::string& kind, const std::string& name, const std::string& problem) {
  return Error(fileOf(kind, name).string(), fmt::format("the {} '{}' {}", kind, name, problem), kHintOfPlugin);
}

std::vector<PluginInfo> findPlugins() {
  std::vector<PluginInfo> found;
  for (const fs::path& folder : searchFolders()) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
      const auto names = kindAndName(entry.path());
      if (!names) continue;
      PluginInfo info{names->first, names->second, entry.path().string(), {}};
      if (void* library = open(entry.path(), info.problem)) info.problem = missingMaker(library, info.kind);
      found.push_back(std::move(info));
    }
  }
  std::sort(found.begin(), found.end(), [](const PluginInfo& a, const PluginInfo& b) {
    return std::tie(a.kind, a.name) < std::tie(b.kind, b.name);
  });
  return found;
}

}  // namespace footfall

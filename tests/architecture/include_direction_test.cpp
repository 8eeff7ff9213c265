// Includes have a direction: a module includes only the modules below it. The list of modules and of what lies below
// each is read from the CMake files, where the build takes it from.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "architecture/project_files.hpp"

namespace {

namespace fs = std::filesystem;
using Modules = std::map<std::string, std::set<std::string>>;  // module → itself and all modules below it

using footfall::test::contentOf;
using footfall::test::kProject;

/// The words between DEPENDS and the next keyword of footfall_module().
std::set<std::string> directlyBelow(const std::string& cmake_text) {
  std::set<std::string> below;
  std::smatch match;
  if (std::regex_search(cmake_text, match, std::regex("footfall_module\\(\\s*\\w+\\s+DEPENDS\\s+([a-z_\\s]+)"))) {
    std::istringstream words(match[1]);
    for (std::string word; words >> word;) below.insert(word);
  }
  return below;
}

void addBelow(const std::map<std::string, std::set<std::string>>& direct, const std::string& module,
              std::set<std::string>& reached) {
  if (!reached.insert(module).second || direct.count(module) == 0) return;
  for (const std::string& below : direct.at(module)) addBelow(direct, below, reached);
}

Modules readModules() {
  std::map<std::string, std::set<std::string>> direct;
  for (const auto& entry : fs::directory_iterator(kProject / "src"))
    if (fs::exists(entry.path() / "CMakeLists.txt"))
      direct[entry.path().filename()] = directlyBelow(contentOf(entry.path() / "CMakeLists.txt"));
  Modules modules;
  for (const auto& [module, below] : direct) addBelow(direct, module, modules[module]);
  return modules;
}

struct Include {
  fs::path file;  ///< relative to the root
  int line;
  std::string target;  ///< between the quotes or brackets
};

std::vector<Include> includesOf(const fs::path& path) {
  static const std::regex pattern("^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"]");
  std::vector<Include> includes;
  std::ifstream file(path);
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    std::smatch match;
    if (std::regex_search(line, match, pattern))
      includes.push_back({path.lexically_relative(kProject), number, match[1]});
  }
  return includes;
}

std::vector<Include> includesBelow(const fs::path& folder) {
  std::vector<Include> includes;
  for (const auto& entry : fs::recursive_directory_iterator(kProject / folder)) {
    const fs::path extension = entry.path().extension();
    if (extension != ".hpp" && extension != ".cpp") continue;
    for (Include& include : includesOf(entry.path())) includes.push_back(std::move(include));
  }
  return includes;
}

/// The module that a file of include/footfall/ or src/ is in, or that an include points into; empty for other
/// libraries.
std::string moduleOf(const fs::path& path, const Modules& modules) {
  for (const fs::path& part : path)
    if (modules.count(part) != 0) return part;
  return "";
}

/// A header for other modules of this project, which is not installed.
bool isInternal(const fs::path& header) { return header.parent_path().filename() == "internal"; }

std::string place(const Include& include) {
  return include.file.string() + ":" + std::to_string(include.line) + " includes " + include.target;
}

TEST(Architecture, ModulesAreReadFromTheBuild) {
  const Modules modules = readModules();
  ASSERT_GE(modules.size(), 10u);
  EXPECT_TRUE(modules.at("contact").count("solver"));
  EXPECT_TRUE(modules.at("step").count("spatial")) << "modules below modules below are reached";
  EXPECT_FALSE(modules.at("solver").count("model")) << "a solver knows no robot";
  EXPECT_FALSE(modules.at("log").count("model")) << "a log knows no robot";
  EXPECT_FALSE(modules.at("step").count("keys")) << "a step knows no file";
}

TEST(Architecture, AModuleIncludesOnlyTheModulesBelowIt) {
  const Modules modules = readModules();
  int checked = 0;
  for (const fs::path folder : {"include", "src"}) {
    for (const Include& include : includesBelow(folder)) {
      const std::string from = moduleOf(include.file, modules), to = moduleOf(include.target, modules);
      if (from.empty() || to.empty()) continue;
      ++checked;
      EXPECT_TRUE(modules.at(from).count(to)) << place(include) << ", but " << from << " does not lie above " << to;
    }
  }
  EXPECT_GE(checked, 50);
}

TEST(Architecture, AModuleThatMayIncludeAnotherIsNotIncludedByIt) {
  const Modules modules = readModules();
  for (const auto& [module, below] : modules)
    for (const std::string& other : below)
      if (other != module) {
        EXPECT_FALSE(modules.at(other).count(module)) << module << " and " << other << " lie above each other";
      }
}

TEST(Architecture, HeavyLibrariesStayInTheirOwnFolder) {
  const std::multimap<std::string, std::string> home = {{"pinocchio/", "src/dynamics/pinocchio"},
                                                        {"iDynTree/", "src/dynamics/idyntree"},
                                                        {"proxsuite/", "src/solver/qp"},
                                                        {"osqp", "src/solver/qp"},
                                                        {"casadi/", "src/solver/qp"},
                                                        {"qpOASES", "src/solver/qp"},
                                                        {"yaml-cpp/", "include/footfall/keys/internal"},
                                                        {"yaml-cpp/", "src/diagram_file/diagram_text.cpp"},
                                                        {"tinyxml2", "src/robot_file"},
                                                        {"tinyxml2", "src/geometry"},
                                                        {"CLI/", "apps/main.cpp"},
                                                        {"zstd", "src/log/compression.cpp"},
                                                        {"zlib", "src/plot/png_file.cpp"},
                                                        {"boost/", "studio/server/web_server.cpp"},
                                                        {"nlohmann/", "studio/server"},
                                                        {"studio/", "studio/server"},
                                                        {"studio/", "apps"}};
  for (const fs::path folder : {"include", "src", "apps", "studio/server"}) {
    for (const Include& include : includesBelow(folder)) {
      std::string homes;
      bool is_at_home = false;
      for (const auto& [library, place_of_library] : home) {
        if (include.target.rfind(library, 0) != 0) continue;
        homes += place_of_library + " ";
        is_at_home = is_at_home || include.file.string().rfind(place_of_library, 0) == 0;
      }
      EXPECT_TRUE(homes.empty() || is_at_home) << place(include) << ", which belongs into " << homes;
    }
  }
}

TEST(Architecture, PublicHeadersIncludeNoPrivateOnes) {
  for (const Include& include : includesBelow("include")) {
    EXPECT_FALSE(fs::exists(kProject / "src" / include.target)) << place(include) << ", which is not installed";
    if (!isInternal(include.file)) {
      EXPECT_FALSE(isInternal(include.target)) << place(include) << ", which is not installed";
    }
  }
}

TEST(Architecture, AModuleIncludesNoPrivateHeaderOfAnother) {
  const Modules modules = readModules();
  int checked = 0;
  for (const fs::path folder : {"src", "studio", "bindings", "apps"}) {
    for (const Include& include : includesBelow(folder)) {
      if (!fs::exists(kProject / "src" / include.target)) continue;
      ++checked;
      const std::string from = folder == "src" ? moduleOf(include.file, modules) : folder.string();
      EXPECT_EQ(from, moduleOf(include.target, modules))
          << place(include) << ": what others may use lies in include/footfall/" << moduleOf(include.target, modules)
          << ", in internal/ where it is not for users";
    }
  }
  EXPECT_GE(checked, 100);
}

TEST(Architecture, KernelsForWideMachinesUseNoEigen) {
  for (const fs::path folder : {"src/dynamics/native", "src/solver/native"}) {
    if (!fs::exists(kProject / folder / "kernel.cpp")) continue;
    // What kernel.cpp includes from its own folder is compiled for the wide machine as well.
    std::vector<fs::path> files = {kProject / folder / "kernel.cpp"};
    std::set<fs::path> seen;
    while (!files.empty()) {
      const fs::path file = files.back();
      files.pop_back();
      if (!seen.insert(file).second) continue;
      for (const Include& include : includesOf(file)) {
        EXPECT_NE(include.target.rfind("Eigen/", 0), 0u) << place(include);
        for (const fs::path& own : {kProject / "src" / include.target, kProject / "include" / include.target})
          if (fs::exists(own)) files.push_back(own);
      }
    }
  }
}

}  // namespace

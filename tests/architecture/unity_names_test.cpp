// The demo compiles several files of a module as one (CMAKE_UNITY_BUILD), where anonymous namespaces are one, too: a
// name that two of them give to something of their own would be defined twice, and only a blank machine would find it.

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "architecture/project_files.hpp"

namespace {

namespace fs = std::filesystem;
using Names = std::map<std::string, std::set<std::string>>;  // name → files that define it

using footfall::test::contentOf;
using footfall::test::kProject;

/// Types, constants and free functions (with their parameters, since overloads may share a name) of the outermost
/// level.
void addNames(const std::string& text, const std::string& file, Names& names) {
  static const std::regex types("(?:^|\\n)(?:class|struct|union|enum class|enum) (\\w+)[^;{]*\\{");
  static const std::regex constants("(?:^|\\n)(?:static |inline )?constexpr [\\w:<>, ]+ (\\w+)(?:\\[\\])? ?[={]");
  static const std::regex functions("(?:^|\\n)\\w[\\w:<>,&* ]*[ &*](\\w+\\([^)]*\\))(?: noexcept)? \\{");
  for (const std::regex* pattern : {&types, &constants, &functions})
    for (std::sregex_iterator match(text.begin(), text.end(), *pattern), end; match != end; ++match)
      names[std::regex_replace((*match)[1].str(), std::regex("\\s+"), " ")].insert(file);
}

Names namesBelow(const fs::path& folder) {
  Names names;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".cpp")
      addNames(contentOf(entry.path()), entry.path().lexically_relative(kProject).string(), names);
  return names;
}

std::string list(const std::set<std::string>& files) {
  std::string text;
  for (const std::string& file : files) text += (text.empty() ? "" : " and ") + file;
  return text;
}

TEST(UnityNames, AreFoundInAFile) {
  Names names;
  addNames(
      "struct A {\n  int a;\n};\nclass B;\nconstexpr double kC = 1.0;\n\nint d(int x,\n      int y) {\n  return "
      "f(x);\n}\n",
      "file", names);
  Names expected;
  for (const char* name : {"A", "kC", "d(int x, int y)"}) expected[name] = {"file"};
  EXPECT_EQ(names, expected);
}

TEST(UnityNames, AModuleDefinesANameOnce) {
  std::set<fs::path> modules = {kProject / "studio/server"};
  for (const auto& entry : fs::directory_iterator(kProject / "src"))
    if (entry.is_directory()) modules.insert(entry.path());
  std::size_t checked = 0;
  for (const fs::path& module : modules)
    for (const auto& [name, files] : namesBelow(module)) {
      ++checked;
      EXPECT_EQ(files.size(), 1u) << name << " is defined in " << list(files) << ": in the demo that is one file";
    }
  EXPECT_GE(checked, 500u);
}

}  // namespace

// Pages lead where they say: every relative link of a page, and every file of ours that it names, is there.

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "architecture/project_files.hpp"

namespace {

namespace fs = std::filesystem;
using footfall::test::contentOf;
using footfall::test::kProject;
using footfall::test::matchesIn;

std::vector<fs::path> pages() {
  std::vector<fs::path> found = {kProject / "README.md", kProject / "CONTRIBUTING.md", kProject / "CHANGELOG.md",
                                 kProject / "include/footfall/README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(kProject / "docs"))
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  return found;
}

/// What GitHub calls a heading.
std::string anchorOf(const std::string& heading) {
  std::string anchor;
  for (const char letter : heading) {
    if (letter == ' ') anchor += '-';
    if (std::isalnum(static_cast<unsigned char>(letter)) || letter == '-' || letter == '_' || (letter & 0x80))
      anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return anchor;
}

bool hasAnchor(const std::string& text, const std::string& anchor) {
  static const std::regex heading("(?:^|\\n)#+ ([^\\n]*)");
  for (std::sregex_iterator match(text.begin(), text.end(), heading), end; match != end; ++match)
    if (anchorOf((*match)[1]) == anchor) return true;
  return false;
}

TEST(Pages, HaveNoDeadLinks) {
  static const std::regex link("\\]\\(([^)\\s]+)\\)");
  int checked = 0;
  for (const fs::path& page : pages()) {
    for (const std::string& target : matchesIn(contentOf(page), link)) {
      if (target.find("://") != std::string::npos || target.starts_with("mailto:")) continue;
      const auto hash = target.find('#');
      const fs::path file = hash == 0 ? page : page.parent_path() / target.substr(0, hash);
      ++checked;
      ASSERT_TRUE(fs::exists(file)) << page.lexically_relative(kProject) << " leads to " << target;
      if (hash != std::string::npos) {
        EXPECT_TRUE(hasAnchor(contentOf(file), target.substr(hash + 1)))
            << page.lexically_relative(kProject) << " leads to " << target;
      }
    }
  }
  EXPECT_GE(checked, 20);
}

/// Files that pages name in their text, from the root of the project: `src/step/step.cpp`, docs/logs.md.
TEST(Pages, NameFilesThatAreThere) {
  static const std::regex name(
      "(?:^|[\\s`(])((?:docs|src|include|scenes|models|examples|tests|tools|benchmarks|studio|"
      "bindings|cmake|apps)/[\\w./-]*\\.(?:md|cpp|hpp|yaml|py|urdf|txt|cmake|ipynb|m))(?![\\w/*<])");
  int checked = 0;
  for (const fs::path& page : pages()) {
    if (page.filename() == "CHANGELOG.md") continue;  // tells of files that were there
    for (const std::string& file : matchesIn(contentOf(page), name)) {
      ++checked;
      EXPECT_TRUE(fs::exists(kProject / file)) << page.lexically_relative(kProject) << " names " << file;
    }
  }
  EXPECT_GE(checked, 50);
}

/// `scene/scene.hpp` on the page of the architecture means a file of a module.
TEST(Pages, OfTheArchitectureNamesFilesOfModules) {
  static const std::regex name("`((?!src/|include/|studio/|tests/)[a-z_]+/[a-z_/]+\\.(?:cpp|hpp))`");
  const std::vector<std::string> files = matchesIn(contentOf(kProject / "docs/architecture.md"), name);
  for (const std::string& file : files)
    EXPECT_TRUE(fs::exists(kProject / "src" / file) || fs::exists(kProject / "include/footfall" / file)) << file;
  EXPECT_GE(files.size(), 15u);
}

/// Help texts, messages and comments that send somebody to a page.
TEST(Pages, ThatSourcesNameAreThere) {
  static const std::regex name("(docs/[\\w/]+\\.md)");
  int checked = 0;
  for (const char* folder : {"src", "include", "apps", "studio/server", "studio/page/src", "bindings", "examples",
                             "scenes", "tools", "cmake"})
    for (const auto& entry : fs::recursive_directory_iterator(kProject / folder)) {
      if (!entry.is_regular_file()) continue;
      for (const std::string& page : matchesIn(contentOf(entry.path()), name)) {
        ++checked;
        EXPECT_TRUE(fs::exists(kProject / page)) << entry.path().lexically_relative(kProject) << " names " << page;
      }
    }
  EXPECT_GE(checked, 10);
}

}  // namespace

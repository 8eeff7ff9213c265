// Pages lead where they say: every relative link of a page, and every file of ours that it names, is there.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
const fs::path kRoot = FOOTFALL_SOURCE_DIR;

std::string contentOf(const fs::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::vector<fs::path> pages() {
  std::vector<fs::path> found = {kRoot / "README.md", kRoot / "CONTRIBUTING.md", kRoot / "CHANGELOG.md"};
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "docs"))
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  return found;
}

/// What GitHub calls a heading.
std::string anchorOf(std::string heading) {
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

std::vector<std::string> found(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> all;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
    all.push_back((*match)[1]);
  return all;
}

TEST(Pages, HaveNoDeadLinks) {
  static const std::regex link("\\]\\(([^)\\s]+)\\)");
  int checked = 0;
  for (const fs::path& page : pages()) {
    for (const std::string& target : found(contentOf(page), link)) {
      if (target.find("://") != std::string::npos || target.starts_with("mailto:")) continue;
      const auto hash = target.find('#');
      const fs::path file = hash == 0 ? page : page.parent_path() / target.substr(0, hash);
      ++checked;
      ASSERT_TRUE(fs::exists(file)) << page.lexically_relative(kRoot) << " leads to " << target;
      if (hash != std::string::npos) {
        EXPECT_TRUE(hasAnchor(contentOf(file), target.substr(hash + 1)))
            << page.lexically_relative(kRoot) << " leads to " << target;
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
    for (const std::string& file : found(contentOf(page), name)) {
      ++checked;
      EXPECT_TRUE(fs::exists(kRoot / file)) << page.lexically_relative(kRoot) << " names " << file;
    }
  }
  EXPECT_GE(checked, 50);
}

/// Help texts, messages and comments that send somebody to a page.
TEST(Pages, ThatSourcesNameAreThere) {
  static const std::regex name("(docs/[\\w/]+\\.md)");
  int checked = 0;
  for (const char* folder : {"src", "include", "apps", "studio/server", "studio/page/src", "bindings", "examples",
                             "scenes", "tools", "cmake"})
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      if (!entry.is_regular_file()) continue;
      for (const std::string& page : found(contentOf(entry.path()), name)) {
        ++checked;
        EXPECT_TRUE(fs::exists(kRoot / page)) << entry.path().lexically_relative(kRoot) << " names " << page;
      }
    }
  EXPECT_GE(checked, 10);
}

}  // namespace

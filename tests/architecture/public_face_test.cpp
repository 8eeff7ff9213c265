// include/footfall/README.md says of every folder whether programs may rely on it.

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "architecture/project_files.hpp"

namespace {

namespace fs = std::filesystem;
const fs::path kFace = footfall::test::kProject / "include/footfall";

/// Folder → what the page says about it.
std::map<std::string, std::string> listedFolders() {
  const std::string page = footfall::test::contentOf(kFace / "README.md");
  static const std::regex row("\\n\\| `(\\w+)` \\| ([\\w -]+) \\|");
  std::map<std::string, std::string> listed;
  for (std::sregex_iterator match(page.begin(), page.end(), row), end; match != end; ++match)
    EXPECT_TRUE(listed.emplace((*match)[1], (*match)[2]).second) << (*match)[1] << " is listed twice";
  return listed;
}

TEST(PublicFace, SaysOfEveryFolderWhetherItIsStable) {
  const std::set<std::string> known = {"stable", "experimental", "for plug-ins"};
  const std::map<std::string, std::string> listed = listedFolders();
  for (const auto& [folder, status] : listed) {
    EXPECT_TRUE(fs::is_directory(kFace / folder)) << folder << " is not there";
    EXPECT_TRUE(known.count(status)) << folder << " is '" << status << "'";
  }
  for (const auto& entry : fs::directory_iterator(kFace)) {
    if (!entry.is_directory()) continue;
    EXPECT_TRUE(listed.count(entry.path().filename().string())) << entry.path() << " is not listed";
  }
}

}  // namespace

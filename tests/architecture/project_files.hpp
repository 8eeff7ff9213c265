#pragma once

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tools/source_dir.hpp"

namespace footfall::test {

inline const std::filesystem::path kProject = sourceDir();

inline std::string contentOf(const std::filesystem::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// The first group of every match.
inline std::vector<std::string> matchesIn(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> all;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
    all.push_back((*match)[1]);
  return all;
}

}  // namespace footfall::test

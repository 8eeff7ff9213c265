// The house has a direction: a room includes only the rooms below it. The list of rooms and of what lies below each
// is read from the CMake files, where the build takes it from.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Rooms = std::map<std::string, std::set<std::string>>;  // room → itself and all rooms below it

const fs::path kRoot = FOOTFALL_SOURCE_DIR;

std::string readFile(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The words between DEPENDS and the next keyword of footfall_room().
std::set<std::string> directlyBelow(const std::string& cmake_text) {
  std::set<std::string> below;
  std::smatch match;
  if (std::regex_search(cmake_text, match, std::regex("footfall_room\\(\\s*\\w+\\s+DEPENDS\\s+([a-z_\\s]+)"))) {
    std::istringstream words(match[1]);
    for (std::string word; words >> word;) below.insert(word);
  }
  return below;
}

void addBelow(const std::map<std::string, std::set<std::string>>& direct, const std::string& room,
              std::set<std::string>& reached) {
  if (!reached.insert(room).second || direct.count(room) == 0) return;
  for (const std::string& below : direct.at(room)) addBelow(direct, below, reached);
}

Rooms readRooms() {
  std::map<std::string, std::set<std::string>> direct;
  for (const auto& entry : fs::directory_iterator(kRoot / "src"))
    if (fs::exists(entry.path() / "CMakeLists.txt"))
      direct[entry.path().filename()] = directlyBelow(readFile(entry.path() / "CMakeLists.txt"));
  Rooms rooms;
  for (const auto& [room, below] : direct) addBelow(direct, room, rooms[room]);
  return rooms;
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
    if (std::regex_search(line, match, pattern)) includes.push_back({path.lexically_relative(kRoot), number, match[1]});
  }
  return includes;
}

std::vector<Include> includesBelow(const fs::path& folder) {
  std::vector<Include> includes;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
    const fs::path extension = entry.path().extension();
    if (extension != ".hpp" && extension != ".cpp") continue;
    for (Include& include : includesOf(entry.path())) includes.push_back(std::move(include));
  }
  return includes;
}

/// The room that a file of include/footfall/ or src/ is in, or that an include points into; empty for other libraries.
std::string roomOf(const fs::path& path, const Rooms& rooms) {
  for (const fs::path& part : path)
    if (rooms.count(part) != 0) return part;
  return "";
}

std::string place(const Include& include) {
  return include.file.string() + ":" + std::to_string(include.line) + " includes " + include.target;
}

TEST(Architecture, RoomsAreReadFromTheBuild) {
  const Rooms rooms = readRooms();
  ASSERT_GE(rooms.size(), 10u);
  EXPECT_TRUE(rooms.at("contact").count("solver"));
  EXPECT_TRUE(rooms.at("simulate").count("spatial")) << "rooms below rooms below are reached";
  EXPECT_FALSE(rooms.at("solver").count("model")) << "a solver knows no robot";
  EXPECT_FALSE(rooms.at("log").count("model")) << "a log knows no robot";
}

TEST(Architecture, ARoomIncludesOnlyTheRoomsBelowIt) {
  const Rooms rooms = readRooms();
  int checked = 0;
  for (const fs::path folder : {"include", "src"}) {
    for (const Include& include : includesBelow(folder)) {
      const std::string from = roomOf(include.file, rooms), to = roomOf(include.target, rooms);
      if (from.empty() || to.empty()) continue;
      ++checked;
      EXPECT_TRUE(rooms.at(from).count(to)) << place(include) << ", but " << from << " does not lie above " << to;
    }
  }
  EXPECT_GE(checked, 50);
}

TEST(Architecture, ARoomThatMayIncludeAnotherIsNotIncludedByIt) {
  const Rooms rooms = readRooms();
  for (const auto& [room, below] : rooms)
    for (const std::string& other : below)
      if (other != room) {
        EXPECT_FALSE(rooms.at(other).count(room)) << room << " and " << other << " lie above each other";
      }
}

TEST(Architecture, HeavyLibrariesStayInTheirOwnFolder) {
  const std::multimap<std::string, std::string> home = {{"pinocchio/", "src/dynamics/pinocchio"},
                                                        {"iDynTree/", "src/dynamics/idyntree"},
                                                        {"proxsuite/", "src/solver/qp"},
                                                        {"osqp", "src/solver/qp"},
                                                        {"casadi/", "src/solver/qp"},
                                                        {"qpOASES", "src/solver/qp"},
                                                        {"yaml-cpp/", "src/model_io"},
                                                        {"tinyxml2", "src/model_io"},
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
    EXPECT_FALSE(fs::exists(kRoot / "src" / include.target)) << place(include) << ", which is not installed";
  }
}

TEST(Architecture, KernelsForWideMachinesUseNoEigen) {
  for (const fs::path folder : {"src/dynamics/native", "src/solver/native"}) {
    if (!fs::exists(kRoot / folder / "kernel.cpp")) continue;
    // What kernel.cpp includes from its own folder is compiled for the wide machine as well.
    std::vector<fs::path> files = {kRoot / folder / "kernel.cpp"};
    std::set<fs::path> seen;
    while (!files.empty()) {
      const fs::path file = files.back();
      files.pop_back();
      if (!seen.insert(file).second) continue;
      for (const Include& include : includesOf(file)) {
        EXPECT_NE(include.target.rfind("Eigen/", 0), 0u) << place(include);
        for (const fs::path& own : {kRoot / "src" / include.target, kRoot / "include" / include.target})
          if (fs::exists(own)) files.push_back(own);
      }
    }
  }
}

}  // namespace

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "footfall/log/log.hpp"
#include "footfall/scene/scene.hpp"
#include "verbs.hpp"

namespace footfall::command {

int init(const std::string& path, bool overwrite) {
  std::error_code ignored;
  if (!overwrite && std::filesystem::exists(path, ignored))
    throw LogError(path, "the file is there already", "choose another name, or overwrite it with --force");
  errno = 0;
  std::ofstream file(path);
  file << sceneTemplate();
  file.close();
  if (!file) throw LogError(path, fmt::format("the scene cannot be written: {}", std::strerror(errno)));
  fmt::print("Wrote {}. Next: footfall run {}\n", path, path);
  return kSuccess;
}

int printSchema() {
  fmt::print("{}", sceneSchema());
  return kSuccess;
}

}  // namespace footfall::command

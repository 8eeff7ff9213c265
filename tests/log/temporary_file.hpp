#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace footfall::test {

/// A file name that nobody else has; what is there is removed at the end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& ending) {
    static int count = 0;
    path_ = (std::filesystem::temp_directory_path() /
             ("footfall_log_test_" + std::to_string(::getpid()) + "_" + std::to_string(count++) + ending))
                .string();
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }
  std::string bytes() const {
    std::ifstream file(path_, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  void write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

 private:
  std::string path_;
};

}  // namespace footfall::test

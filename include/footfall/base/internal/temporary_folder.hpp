#pragma once

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include "footfall/base/error.hpp"

namespace footfall {

/// A folder of this process alone, which is gone when this object is.
class TemporaryFolder {
 public:
  /// @param purpose part of its name, for people who find it; throws Error when it cannot be made
  explicit TemporaryFolder(const std::string& purpose) {
    std::string pattern = (std::filesystem::temp_directory_path() / ("footfall-" + purpose + "-XXXXXX")).string();
    if (mkdtemp(pattern.data()) == nullptr)
      throw Error(pattern, std::string("no temporary folder can be made: ") + std::strerror(errno),
                  "TMPDIR chooses another place");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace footfall

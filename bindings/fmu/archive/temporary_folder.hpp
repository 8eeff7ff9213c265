#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "footfall/base/error.hpp"

namespace footfall::fmu {

/// A folder that is gone when this object is.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "footfall-fmu-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw Error(pattern, "no temporary folder can be made");
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

}  // namespace footfall::fmu

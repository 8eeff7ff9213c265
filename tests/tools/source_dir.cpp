#include "tools/source_dir.hpp"

namespace footfall {

const std::string& sourceDir() {
  static const std::string folder = FOOTFALL_SOURCE_DIR;
  return folder;
}

}  // namespace footfall

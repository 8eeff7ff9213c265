#pragma once

#include <string>
#include <vector>

#include "footfall/base/cannot_write.hpp"

namespace footfall::fmu {

struct ZipEntry {
  std::string name;  ///< path inside, with slashes
  std::string bytes;
};

/// Writes a ZIP archive; the same entries give the same bytes (no times inside). Throws CannotWrite.
void writeZip(const std::string& path, const std::vector<ZipEntry>& entries);

/// All files of a ZIP archive. Throws Error for a file that is none, is damaged, or holds names that lead out of a
/// folder.
std::vector<ZipEntry> readZip(const std::string& path);

}  // namespace footfall::fmu

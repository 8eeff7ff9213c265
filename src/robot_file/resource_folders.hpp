#pragma once

#include <filesystem>
#include <vector>

namespace footfall {

/// Appends the existing folders that ResourcePath::standard() describes, each once.
void appendStandardResourceFolders(std::vector<std::filesystem::path>& folders);

}  // namespace footfall

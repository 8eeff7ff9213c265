#pragma once

#include <filesystem>
#include <string>

namespace footfall {

/// The whole file; throws Error that says why it cannot be read.
std::string readText(const std::filesystem::path& path);

}  // namespace footfall

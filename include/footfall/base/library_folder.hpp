#pragma once

#include <filesystem>

namespace footfall {

/// The folder that libfootfall lies in; what belongs to it lies beside it.
std::filesystem::path libraryFolder();

}  // namespace footfall

#pragma once

#include <filesystem>
#include <string>

#include "footfall/block/parameters.hpp"

namespace footfall {

/// The file that a parameter of a block names, to be read. A relative name belongs to the file in which it is written;
/// one from code or from `--set` to the working directory. Throws Error when it is missing, or no text.
std::filesystem::path namedFile(const Parameters& parameters, const std::string& name);

}  // namespace footfall

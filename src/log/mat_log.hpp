#pragma once

#include <memory>
#include <string>

#include "footfall/log/log.hpp"

namespace footfall {

/// A log that MATLAB, Octave and SciPy open. It is kept in memory and written by close(). Throws LogError when the file
/// cannot be opened.
std::unique_ptr<Log> makeMatLog(const std::string& path);

}  // namespace footfall

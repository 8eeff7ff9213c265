#pragma once

#include <memory>
#include <string>

#include "footfall/log/log_reader.hpp"

namespace footfall {

/// What McapLog wrote, closed or cut off: finds the chunks by walking over the records, without reading them.
std::unique_ptr<LogReader> openMcap(const std::string& path);

}  // namespace footfall

#pragma once

#include <memory>
#include <string>

#include "footfall/log/log_reader.hpp"

namespace footfall {

/// What CsvLog wrote. Keeps the place of each row, and reads rows when they are asked for.
std::unique_ptr<LogReader> openCsv(const std::string& path);

}  // namespace footfall

#pragma once

#include <memory>
#include <string>

#include "footfall/log/log_reader.hpp"

namespace footfall {

/// The note of a .csv log that says which of its columns are one channel: "base.position 3,energy 4".
inline constexpr const char* kCsvVectors = "channels of several columns";

/// What CsvLog wrote. Keeps the place of each row, and reads rows when they are asked for.
std::unique_ptr<LogReader> openCsv(const std::string& path);

}  // namespace footfall

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "footfall/log/log.hpp"

namespace footfall {

/// Creates or empties a file and returns its number; throws LogError when that cannot be done, also where another log
/// is being written there, in this process or another: both would be lost. To be closed by closeWritten().
int openForWriting(const std::string& path);

/// As ::close(), and the file may be written by others, also where a child of this process still has it.
int closeWritten(int file);

/// Writes all of it; returns how much was written and leaves errno when that is less.
std::size_t writeAll(int file, std::string_view bytes);

/// The error of a write. `extent` says how far the log goes: "it is complete up to …".
LogError cannotWrite(const std::string& path, int error_number, const std::string& extent);

/// "it is complete up to time = 0.5 s, 500 rows"; `last` is the first channel of the last row.
std::string extentOf(std::size_t rows, const std::string& name, double last, const std::string& unit);

}  // namespace footfall

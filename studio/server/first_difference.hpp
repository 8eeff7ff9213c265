#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "footfall/log/log_reader.hpp"

namespace footfall::studio {

/// Where two runs part.
struct Difference {
  double time = 0.0;   ///< of the row [s]
  std::string column;  ///< the first of those that differ there
  double a = 0.0, b = 0.0;
};

/// The first instant that both logs have and at which a column of the same name has not the same bits; nothing: there
/// is none. Reads both logs: slow for long ones. @param stop from another thread: the answer is not wanted any more
std::optional<Difference> firstDifference(const LogReader& a, const LogReader& b, const std::atomic<bool>& stop);

}  // namespace footfall::studio

#pragma once

#include <atomic>
#include <cstddef>
#include <limits>
#include <vector>

#include "footfall/log/log_reader.hpp"

namespace footfall::studio {

/// Extremes and sums of some values; those that are not a number do not count.
struct Summary {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  double sum = 0.0, squares = 0.0;
  std::size_t count = 0;
  bool low_first = true;  ///< the lowest value came before the highest

  void add(double value);
  /// Of values that come after ours.
  void add(const Summary& later);
};

/// Every column of a log in blocks of rows: a plot of a long run needs their extremes, not the rows. Takes about a
/// twelfth of what the rows take.
class ColumnBlocks {
 public:
  static constexpr std::size_t kRows = 64;  ///< of a block

  /// Reads the whole log once; ends early, and is of no use, when `stop` becomes true.
  ColumnBlocks(const LogReader& log, const std::atomic<bool>& stop);

  /// Of the blocks [first, end) of a column.
  Summary of(int column, std::size_t first, std::size_t end) const;

 private:
  std::size_t blocks_;
  std::vector<Summary> summaries_;  ///< all blocks of the first column, then of the second …
};

}  // namespace footfall::studio

#include "studio/server/column_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace footfall::studio {

void Summary::add(double value) {
  if (std::isnan(value)) return;
  if (value < low) {
    low = value;
    low_first = false;
  }
  if (value > high) {
    high = value;
    low_first = true;
  }
  sum += value;
  squares += value * value;
  ++count;
}

void Summary::add(const Summary& later) {
  const bool lower = later.low<low, higher = later.high> high;
  if (lower && higher) low_first = later.low_first;
  if (lower != higher) low_first = higher;
  low = std::min(low, later.low);
  high = std::max(high, later.high);
  sum += later.sum;
  squares += later.squares;
  count += later.count;
}

ColumnBlocks::ColumnBlocks(const LogReader& log, const std::atomic<bool>& stop)
    : blocks_((log.rows() + kRows - 1) / kRows), summaries_(log.columns().size() * blocks_) {
  constexpr std::size_t kSlice = 64 * kRows;  // rows at a time: they fit into a cache
  std::vector<int> columns(log.columns().size());
  std::iota(columns.begin(), columns.end(), 0);
  for (std::size_t first = 0; first < log.rows() && !stop; first += kSlice) {
    const RowRange rows{first, std::min(kSlice, log.rows() - first)};
    const std::vector<double> values = log.read(columns, rows);
    for (std::size_t c = 0; c < columns.size(); ++c)
      for (std::size_t r = 0; r < rows.count; ++r)
        summaries_[c * blocks_ + (first + r) / kRows].add(values[c * rows.count + r]);
  }
}

Summary ColumnBlocks::of(int column, std::size_t first, std::size_t end) const {
  Summary all;
  const Summary* const blocks = summaries_.data() + static_cast<std::size_t>(column) * blocks_;
  for (std::size_t b = first; b < std::min(end, blocks_); ++b) all.add(blocks[b]);
  return all;
}

}  // namespace footfall::studio

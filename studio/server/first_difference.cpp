#include "studio/server/first_difference.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace footfall::studio {
namespace {

constexpr std::size_t kBlock = 256;  ///< rows that are read at once
constexpr double kSameTime = 1e-9;   ///< instants that are nearer to each other are one [s]

/// Columns of the same name, by their numbers in the one and in the other.
struct Common {
  std::vector<int> a, b;
};

Common commonColumns(const LogReader& a, const LogReader& b) {
  std::map<std::string, int> numbers;
  for (std::size_t c = 0; c < b.columns().size(); ++c) numbers[b.columns()[c]] = static_cast<int>(c);
  Common common;
  for (std::size_t c = 0; c < a.columns().size(); ++c)
    if (const auto found = numbers.find(a.columns()[c]); c != 0 && found != numbers.end()) {
      common.a.push_back(static_cast<int>(c));
      common.b.push_back(found->second);
    }
  return common;
}

/// Rows of both logs that belong to the same instants.
std::vector<std::pair<std::size_t, std::size_t>> commonRows(const LogReader& a, const LogReader& b) {
  std::vector<std::pair<std::size_t, std::size_t>> rows;
  const std::vector<double>&s = a.times(), &t = b.times();
  for (std::size_t i = 0, k = 0; i < s.size() && k < t.size();) {
    if (std::abs(s[i] - t[k]) <= kSameTime)
      rows.emplace_back(i++, k++);
    else if (s[i] < t[k])
      ++i;
    else
      ++k;
  }
  return rows;
}

bool same(double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }

/// Forces belong to the step that begins at a row: where a run ends there are none, and the longer one has them.
bool endsThere(double value, std::size_t row, const LogReader& log) {
  return std::isnan(value) && row + 1 == log.rows();
}

/// Some columns of consecutive rows, a block at a time.
class RowWindow {
 public:
  RowWindow(const LogReader& log, const std::vector<int>& columns) : log_(log), columns_(columns) {}

  double at(std::size_t row, std::size_t column) {
    if (row < first_ || row >= first_ + count_) {
      first_ = row;
      count_ = std::min(kBlock, log_.rows() - row);
      values_ = log_.read(columns_, {first_, count_});
    }
    return values_[column * count_ + (row - first_)];
  }

 private:
  const LogReader& log_;
  const std::vector<int>& columns_;
  std::size_t first_ = 0, count_ = 0;
  std::vector<double> values_;
};

}  // namespace

std::optional<Difference> firstDifference(const LogReader& a, const LogReader& b, const std::atomic<bool>& stop) {
  const Common columns = commonColumns(a, b);
  RowWindow ours(a, columns.a), theirs(b, columns.b);
  for (const auto& [i, k] : commonRows(a, b)) {
    if (stop) return {};
    for (std::size_t c = 0; c < columns.a.size(); ++c)
      if (const double x = ours.at(i, c), y = theirs.at(k, c);
          !same(x, y) && !endsThere(x, i, a) && !endsThere(y, k, b))
        return Difference{a.times()[i], a.columns()[static_cast<std::size_t>(columns.a[c])], x, y};
  }
  return {};
}

}  // namespace footfall::studio

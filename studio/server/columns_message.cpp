#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "studio/server/column_blocks.hpp"
#include "studio/server/messages.hpp"

namespace footfall::studio {
namespace {

constexpr std::size_t kMostNumbers = 8'000'000;  ///< that are read at once: 64 MB

void addStatistics(const Summary& all, Message& message) {
  const double n = all.count == 0 ? std::numeric_limits<double>::quiet_NaN() : number(all.count);
  message.insert(message.end(), {all.low, all.high, all.sum / n, std::sqrt(all.squares / n)});
}

/// Lowest and highest value in the order in which they come; a bucket without numbers is a gap in the line.
void addExtremes(const Summary& bucket, Message& message) {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  const double low = bucket.count == 0 ? nothing : bucket.low, high = bucket.count == 0 ? nothing : bucket.high;
  message.push_back(bucket.low_first ? low : high);
  message.push_back(bucket.low_first ? high : low);
}

/// Some things are shared out among buckets as evenly as it goes.
struct Buckets {
  std::size_t first, end, count;
  std::size_t begin(std::size_t bucket) const { return first + bucket * (end - first) / count; }
};

/// Two times for each bucket: of its first row and of the one in its middle. @param rows of one thing
void addTimes(const Recording& recording, const Buckets& buckets, std::size_t rows, Message& message) {
  const std::size_t last = recording.extent().end - 1;
  for (std::size_t b = 0; b < buckets.count; ++b)
    for (const std::size_t row : {rows * buckets.begin(b), rows * (buckets.begin(b) + buckets.begin(b + 1)) / 2}) {
      double time = 0.0;
      recording.readColumn(0, std::min(row, last), std::min(row, last) + 1, &time);
      message.push_back(time);
    }
}

/// The statistics of a column, then `summary(first, end)` of each bucket.
template <class Summarise>
void addColumn(const Summary& all, const Buckets& buckets, Summarise summary, Message& message) {
  addStatistics(all, message);
  for (std::size_t b = 0; b < buckets.count; ++b) addExtremes(summary(buckets.begin(b), buckets.begin(b + 1)), message);
}

/// Rows that are sent, and those of them whose statistics are told: one row more on either side lets lines reach the
/// borders of a plot, but is not in it.
struct Rows {
  std::size_t first, end, inside_first, inside_end;
};

Rows rowsBetween(const Recording& recording, double from, double to, std::size_t last) {
  Rows rows;
  rows.first = rows.inside_first = recording.rowAt(from);
  rows.inside_end = std::min(recording.rowAt(to) + 1, last);
  rows.end = std::min(rows.inside_end + 1, last);
  double time = 0.0;
  recording.readColumn(0, rows.first, rows.first + 1, &time);
  if (time < from && rows.first + 1 < rows.inside_end) ++rows.inside_first;
  return rows;
}

Summary summaryOf(const double* begin, const double* end) {
  Summary all;
  for (const double* value = begin; value != end; ++value) all.add(*value);
  return all;
}

/// Rows as they are when they are few, else by buckets.
void addRows(const Recording& recording, const ColumnsQuestion& question, const Rows& asked, Message& message) {
  const auto [first, end, inside_first, inside_end] = asked;
  const std::size_t rows = end - first, wanted = question.columns.size();
  const Buckets buckets{first, end, static_cast<std::size_t>(question.buckets)};
  const bool all = rows <= 2 * buckets.count;
  message[4] = number(all ? rows : 2 * buckets.count);
  message[5] = all ? 1.0 : 0.0;
  std::vector<double> values(rows);
  if (all) {
    recording.readColumn(0, first, end, values.data());
    message.insert(message.end(), values.begin(), values.end());
  } else {
    addTimes(recording, buckets, 1, message);
  }
  const std::size_t at_once = std::max<std::size_t>(1, kMostNumbers / rows);
  for (std::size_t c = 0; c < wanted; c += at_once) {
    const std::span columns(question.columns.data() + c, std::min(at_once, wanted - c));
    values.resize(columns.size() * rows);
    recording.readColumns(columns, first, end, values.data());
    for (const double* column = values.data(); column != values.data() + values.size(); column += rows) {
      const Summary inside = summaryOf(column + (inside_first - first), column + (inside_end - first));
      if (all) {
        addStatistics(inside, message);
        message.insert(message.end(), column, column + rows);
      } else {
        const auto summary = [&, start = first](std::size_t b, std::size_t e) {
          return summaryOf(column + (b - start), column + (e - start));
        };
        addColumn(inside, buckets, summary, message);
      }
    }
  }
}

/// Values of rows [first, end), one column after the other.
class Part {
 public:
  Part(const Recording& recording, const std::vector<int>& columns, std::size_t first, std::size_t end)
      : rows_(end - first), values_(columns.size() * rows_) {
    if (rows_ > 0) recording.readColumns(columns, first, end, values_.data());
  }
  Summary of(std::size_t column) const {
    return summaryOf(values_.data() + column * rows_, values_.data() + (column + 1) * rows_);
  }

 private:
  std::size_t rows_;
  std::vector<double> values_;
};

/// The same by blocks of rows. Lines reach over the borders of the window by less than a block, statistics do not.
void addBlocks(const Recording& recording, const ColumnBlocks& blocks, const ColumnsQuestion& question,
               const Rows& asked, Message& message) {
  constexpr std::size_t kRows = ColumnBlocks::kRows;
  const Buckets buckets{asked.first / kRows, (asked.end + kRows - 1) / kRows,
                        static_cast<std::size_t>(question.buckets)};
  const std::size_t first_whole = (asked.inside_first + kRows - 1) / kRows, end_whole = asked.inside_end / kRows;
  const Part before(recording, question.columns, asked.inside_first, kRows * first_whole);
  const Part after(recording, question.columns, kRows * end_whole, asked.inside_end);
  message[4] = number(2 * buckets.count);
  addTimes(recording, buckets, kRows, message);
  for (std::size_t c = 0; c < question.columns.size(); ++c) {
    const auto summary = [&](std::size_t b, std::size_t e) { return blocks.of(question.columns[c], b, e); };
    Summary all = before.of(c);
    all.add(summary(first_whole, end_whole));
    all.add(after.of(c));
    addColumn(all, buckets, summary, message);
  }
}

}  // namespace

Message columnsMessage(const Session& session, const ColumnsQuestion& question) {
  const Recording& recording = session.recording();
  const Extent extent = recording.extent();
  Message message = {static_cast<double>(MessageKind::columns), question.id, static_cast<double>(extent.epoch),
                     number(question.columns.size()),           0.0,         0.0};
  if (extent.empty() || question.to < extent.start_time || question.from > extent.end_time) return message;
  const Rows rows = rowsBetween(recording, question.from, question.to, extent.end);
  if (rows.end <= rows.first || rows.inside_end <= rows.inside_first)
    return message;  // it ends before it begins, or was recorded anew just now
  const bool many = rows.end - rows.first >= static_cast<std::size_t>(question.buckets) * ColumnBlocks::kRows;
  if (const ColumnBlocks* blocks = many ? recording.blocks() : nullptr)
    addBlocks(recording, *blocks, question, rows, message);
  else
    addRows(recording, question, rows, message);
  return message;
}

}  // namespace footfall::studio

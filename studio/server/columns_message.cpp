#include <algorithm>
#include <cmath>
#include <limits>

#include "studio/server/column_blocks.hpp"
#include "studio/server/messages.hpp"

namespace footfall::studio {
namespace {

constexpr std::size_t kMostNumbers = 8'000'000;  ///< that are read at once: 64 MB

double number(std::size_t value) { return static_cast<double>(value); }

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

/// `summary(first, end)` of each bucket, with the statistics of all of them in front.
template <class Summarise>
void addColumn(const Buckets& buckets, Summarise summary, Message& message) {
  const std::size_t place = message.size();
  message.resize(place + 4);
  Summary all;
  for (std::size_t b = 0; b < buckets.count; ++b) {
    const Summary bucket = summary(buckets.begin(b), buckets.begin(b + 1));
    addExtremes(bucket, message);
    all.add(bucket);
  }
  Message statistics;
  addStatistics(all, statistics);
  std::copy(statistics.begin(), statistics.end(), message.begin() + static_cast<std::ptrdiff_t>(place));
}

Summary summaryOf(const double* begin, const double* end) {
  Summary all;
  for (const double* value = begin; value != end; ++value) all.add(*value);
  return all;
}

/// Rows [first, end) as they are when they are few, else by buckets.
void addRows(const Recording& recording, const ColumnsQuestion& question, std::size_t first, std::size_t end,
             Message& message) {
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
      if (all) {
        addStatistics(summaryOf(column, column + rows), message);
        message.insert(message.end(), column, column + rows);
      } else {
        addColumn(
            buckets, [&](std::size_t b, std::size_t e) { return summaryOf(column + b - first, column + e - first); },
            message);
      }
    }
  }
}

/// The same by blocks of rows. They reach over the borders of the window by less than a block.
void addBlocks(const Recording& recording, const ColumnBlocks& blocks, const ColumnsQuestion& question,
               std::size_t first, std::size_t end, Message& message) {
  const Buckets buckets{first / ColumnBlocks::kRows, (end + ColumnBlocks::kRows - 1) / ColumnBlocks::kRows,
                        static_cast<std::size_t>(question.buckets)};
  message[4] = number(2 * buckets.count);
  addTimes(recording, buckets, ColumnBlocks::kRows, message);
  for (const int column : question.columns)
    addColumn(
        buckets, [&](std::size_t b, std::size_t e) { return blocks.of(column, b, e); }, message);
}

}  // namespace

Message columnsMessage(const Session& session, const ColumnsQuestion& question) {
  const Recording& recording = session.recording();
  const Extent extent = recording.extent();
  Message message = {static_cast<double>(MessageKind::columns), question.id, static_cast<double>(extent.epoch),
                     number(question.columns.size()),           0.0,         0.0};
  if (extent.empty() || question.to < extent.start_time || question.from > extent.end_time) return message;
  // One row more on either side, so that lines reach the borders of a plot.
  const std::size_t first = recording.rowAt(question.from);
  const std::size_t end = std::min(recording.rowAt(question.to) + 2, extent.end);
  if (end <= first) return message;  // it ends before it begins, or was recorded anew just now
  const bool many = end - first >= static_cast<std::size_t>(question.buckets) * ColumnBlocks::kRows;
  if (const ColumnBlocks* blocks = many ? recording.blocks() : nullptr)
    addBlocks(recording, *blocks, question, first, end, message);
  else
    addRows(recording, question, first, end, message);
  return message;
}

}  // namespace footfall::studio

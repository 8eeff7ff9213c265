#include "studio/server/messages.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace footfall::studio {
namespace {

constexpr std::size_t kMostNewRows = 4096;  ///< in a frame; a page that missed more asks for them

double number(std::size_t value) { return static_cast<double>(value); }

/// index, number of contacts, values, poses of moving grounds, contacts
void addRow(const Row& row, const SceneDescription& scene, Message& message) {
  message.push_back(number(row.index));
  message.push_back(number(row.contacts.size()));
  message.insert(message.end(), row.values.begin(), row.values.end());
  scene.addGroundPoses(row.values[0], message);
  const auto* contacts = reinterpret_cast<const double*>(row.contacts.data());
  message.insert(message.end(), contacts, contacts + row.contacts.size() * kContactNumbers);
}

/// Values of rows [first, end): all of the first row, then of the second.
void addNewRows(const Recording& recording, const std::vector<int>& columns, std::size_t first, std::size_t end,
                Message& message) {
  const std::size_t count = end - first, width = columns.size() + 1, begin = message.size();
  message.resize(begin + count * width);
  std::vector<double> values(count);
  for (std::size_t c = 0; c < width; ++c) {
    recording.readColumn(c == 0 ? 0 : columns[c - 1], first, end, values.data());
    for (std::size_t r = 0; r < count; ++r) message[begin + r * width + c] = values[r];
  }
}

struct Statistics {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  double sum = 0.0, sum_of_squares = 0.0;
  std::size_t count = 0;

  void add(double value) {
    if (std::isnan(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
    sum += value;
    sum_of_squares += value * value;
    ++count;
  }
  void addTo(Message& message) const {
    const double n = count == 0 ? std::numeric_limits<double>::quiet_NaN() : number(count);
    message.insert(message.end(), {low, high, sum / n, std::sqrt(sum_of_squares / n)});
  }
};

/// Lowest and highest value of each bucket, in the order in which they come.
void addExtremes(const std::vector<double>& values, std::size_t buckets, Message& message) {
  for (std::size_t b = 0; b < buckets; ++b) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(b * values.size() / buckets);
    const auto end = values.begin() + static_cast<std::ptrdiff_t>((b + 1) * values.size() / buckets);
    auto low = begin, high = begin;
    for (auto v = begin; v != end; ++v) {
      if (std::isnan(*low) || *v < *low) low = v;
      if (std::isnan(*high) || *v > *high) high = v;
    }
    message.push_back(*std::min(low, high));
    message.push_back(*std::max(low, high));
  }
}

/// Two times for each bucket: its start and its middle.
void addBucketTimes(const std::vector<double>& times, std::size_t buckets, Message& message) {
  for (std::size_t b = 0; b < buckets; ++b) {
    const std::size_t begin = b * times.size() / buckets, end = (b + 1) * times.size() / buckets;
    message.push_back(times[begin]);
    message.push_back(times[begin + (end - begin) / 2]);
  }
}

}  // namespace

Message frameMessage(const Session& session, Subscription& subscription) {
  const Recording& recording = session.recording();
  const Extent extent = recording.extent();
  const Pace pace = session.pace();
  const bool known = subscription.epoch == extent.epoch && subscription.next == extent.end && subscription.pace == pace;
  Row row;
  if (known || extent.empty() || !recording.read(extent.end - 1, row)) return {};
  subscription.pace = pace;
  if (subscription.epoch != extent.epoch) subscription.next = extent.end;
  subscription.epoch = extent.epoch;
  const std::size_t oldest = std::max(extent.first, extent.end - std::min(extent.end, kMostNewRows));
  const std::size_t first = std::max(subscription.next, oldest);
  subscription.next = extent.end;
  Message message = {static_cast<double>(MessageKind::frame),
                     static_cast<double>(extent.epoch),
                     number(extent.first),
                     number(extent.end),
                     extent.start_time,
                     extent.end_time,
                     pace.playing ? 1.0 : 0.0,
                     pace.speed,
                     pace.reached,
                     number(subscription.columns.size()),
                     number(extent.end - first),
                     number(first)};
  addRow(row, *session.scene(), message);
  addNewRows(recording, subscription.columns, first, extent.end, message);
  return message;
}

Message rowsMessage(const Session& session, const RowsQuestion& question) {
  const Recording& recording = session.recording();
  const Extent extent = recording.extent();
  Message message = {static_cast<double>(MessageKind::rows), question.id, static_cast<double>(extent.epoch), 0.0};
  if (extent.empty()) return message;
  const std::size_t first = recording.rowAt(question.from), last = std::max(first, recording.rowAt(question.to));
  const std::size_t count = std::min<std::size_t>(last - first + 1, static_cast<std::size_t>(question.most));
  const std::shared_ptr<const SceneDescription> scene = session.scene();
  Row row;
  double rows = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t index = count == 1 ? first : first + k * (last - first) / (count - 1);
    if (!recording.read(index, row)) continue;
    addRow(row, *scene, message);
    rows += 1.0;
  }
  message[3] = rows;
  return message;
}

Message rowMessage(const Session& session, double id, double index) {
  const Recording& recording = session.recording();
  Message message = {static_cast<double>(MessageKind::rows), id, static_cast<double>(recording.extent().epoch), 0.0};
  Row row;
  if (!(index >= 0.0 && index < 1e15) || !recording.read(static_cast<std::size_t>(index), row)) return message;
  addRow(row, *session.scene(), message);
  message[3] = 1.0;
  return message;
}

Message columnsMessage(const Session& session, const ColumnsQuestion& question) {
  const Recording& recording = session.recording();
  const Extent extent = recording.extent();
  Message message = {static_cast<double>(MessageKind::columns), question.id, static_cast<double>(extent.epoch),
                     number(question.columns.size()),           0.0,         0.0};
  if (extent.empty() || question.to < extent.start_time || question.from > extent.end_time) return message;
  // One row more on either side, so that lines reach the borders of a plot.
  const std::size_t first = recording.rowAt(question.from);
  const std::size_t end = std::min(recording.rowAt(question.to) + 2, extent.end);
  std::vector<double> values(end - first);
  recording.readColumn(0, first, end, values.data());
  const auto buckets = static_cast<std::size_t>(question.buckets);
  const bool all = values.size() <= 2 * buckets;
  message[4] = number(all ? values.size() : 2 * buckets);
  message[5] = all ? 1.0 : 0.0;
  if (all) {
    message.insert(message.end(), values.begin(), values.end());
  } else {
    addBucketTimes(values, buckets, message);
  }
  for (const int column : question.columns) {
    recording.readColumn(column, first, end, values.data());
    Statistics statistics;
    for (const double value : values) statistics.add(value);
    statistics.addTo(message);
    if (all) {
      message.insert(message.end(), values.begin(), values.end());
    } else {
      addExtremes(values, buckets, message);
    }
  }
  return message;
}

}  // namespace footfall::studio

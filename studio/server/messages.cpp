#include "studio/server/messages.hpp"

#include <algorithm>

namespace footfall::studio {
namespace {

constexpr std::size_t kMostNewRows = 4096;  ///< in a frame; a page that missed more asks for them

template <class Sample>
void addNumbers(const std::vector<Sample>& samples, Message& message) {
  const auto* numbers = reinterpret_cast<const double*>(samples.data());
  message.insert(message.end(), numbers, numbers + samples.size() * (sizeof(Sample) / sizeof(double)));
}

/// index, number of contacts, values, poses of moving grounds, contacts, number of pushes, pushes, number of ties, ties
void addRow(const Row& row, const SceneDescription& scene, Message& message) {
  message.push_back(number(row.index));
  message.push_back(number(row.contacts.size()));
  message.insert(message.end(), row.values.begin(), row.values.end());
  scene.addGroundPoses(row.values[0], message);
  addNumbers(row.contacts, message);
  message.push_back(number(row.pushes.size()));
  addNumbers(row.pushes, message);
  message.push_back(number(row.ties.size()));
  addNumbers(row.ties, message);
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

}  // namespace

Moment momentOf(const Session& session) {
  const Pace pace =
      session.pace();  // first: once it says that nothing is played, no row comes after those counted here
  Moment moment{session.recording().extent(), pace, {}};
  if (!moment.extent.empty() && !session.recording().read(moment.extent.end - 1, moment.newest))
    moment.extent.end = moment.extent.first;  // it was taken back just now
  return moment;
}

Message frameMessage(const Session& session, const Moment& moment, Subscription& subscription) {
  const auto& [extent, pace, newest] = moment;
  const bool known = subscription.epoch == extent.epoch && subscription.next == extent.end && subscription.pace == pace;
  if (known || extent.empty()) return {};
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
                     number(first),
                     number(newest.values.size())};
  addRow(newest, *session.scene(), message);
  addNewRows(session.recording(), subscription.columns, first, extent.end, message);
  return message;
}

Message rowsMessage(const Session& session, const RowsQuestion& question) {
  const Recording& recording = session.recording();
  const Extent extent = recording.extent();
  Message message = {static_cast<double>(MessageKind::rows), question.id, static_cast<double>(extent.epoch), 0.0,
                     number(recording.width())};
  if (extent.empty()) return message;
  const std::size_t first = recording.rowAt(question.from), last = std::max(first, recording.rowAt(question.to));
  const std::size_t count = std::min<std::size_t>(last - first + 1, static_cast<std::size_t>(question.most));
  const std::shared_ptr<const SceneDescription> scene = session.scene();
  Row row;
  double rows = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t index = count == 1 ? first : first + k * (last - first) / (count - 1);
    if (!recording.read(index, row) || number(row.values.size()) != message[4]) continue;  // it was of another run
    addRow(row, *scene, message);
    rows += 1.0;
  }
  message[3] = rows;
  return message;
}

Message rowMessage(const Session& session, double id, double index) {
  const Recording& recording = session.recording();
  Message message = {static_cast<double>(MessageKind::rows), id, static_cast<double>(recording.extent().epoch), 0.0,
                     number(recording.width())};
  Row row;
  if (!(index >= 0.0 && index < 1e15) || !recording.read(static_cast<std::size_t>(index), row)) return message;
  message[4] = number(row.values.size());
  addRow(row, *session.scene(), message);
  message[3] = 1.0;
  return message;
}

}  // namespace footfall::studio

#include "log/mcap_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "footfall/base/internal/crc32.hpp"
#include "log/compression.hpp"
#include "log/mcap_format.hpp"
#include "log/mcap_groups.hpp"
#include "log/message_layout.hpp"

namespace footfall {
namespace {

using mcap::Opcode;

/// A chunk that holds rows of one bus.
struct RowChunk {
  std::uint64_t offset = 0, length = 0;  ///< of the record's content in the file
  std::size_t first_row = 0, rows = 0;
};

/// One bus: the channels of one topic.
struct Topic {
  std::uint16_t id = 0;
  MessageLayout layout;
  std::vector<RowChunk> chunks;
  std::string rows;           ///< message records of the chunk that was read last
  std::size_t loaded = ~0UL;  ///< its number

  std::size_t stride() const { return mcap::kMessageHead + layout.blank.size(); }
  std::size_t rowCount() const { return chunks.empty() ? 0 : chunks.back().first_row + chunks.back().rows; }
};

/// Where a column is.
struct ColumnPlace {
  std::size_t topic, offset;  ///< offset in a message record
};

class McapReader : public LogReader {
 public:
  explicit McapReader(const std::string& path) : LogReader(path), file_(path, std::ios::binary) {
    if (!file_) throw Error(path, fmt::format("the log cannot be read: {}", std::strerror(errno)));
    file_.seekg(0, std::ios::end);
    file_size_ = static_cast<std::uint64_t>(file_.tellg());
    try {
      walk();
    } catch (const std::runtime_error& error) {
      throw Error(path, fmt::format("this is not an MCAP log of footfall: {}", error.what()));
    }
    setChannels(channels_);
    rows_ = topics_.empty() ? 0 : ~0UL;
    for (const Topic& topic : topics_) rows_ = std::min(rows_, topic.rowCount());
  }

 private:
  std::string bytes(std::uint64_t offset, std::uint64_t size) const {
    if (size > file_size_ || offset > file_size_ - size)
      throw std::runtime_error("the file is shorter than its records say");
    std::string result(size, '\0');
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
    if (!file_.read(result.data(), static_cast<std::streamsize>(size)))
      throw std::runtime_error("the file cannot be read");
    return result;
  }

  /// From record to record until the footer, or until the file breaks off.
  void walk() {
    if (file_size_ < mcap::kMagic.size() || bytes(0, mcap::kMagic.size()) != mcap::kMagic)
      throw std::runtime_error("it does not begin as one");
    std::uint64_t offset = mcap::kMagic.size();
    bool ended = false;
    while (!ended && offset + mcap::kRecordHead <= file_size_) {
      const std::string head = bytes(offset, mcap::kRecordHead);
      mcap::Reader reader(head);
      const auto opcode = reader.number<Opcode>();
      const auto length = reader.number<std::uint64_t>();
      offset += mcap::kRecordHead;
      if (length > file_size_ - offset) break;
      ended = opcode == Opcode::data_end;
      take(opcode, offset, length);
      offset += length;
    }
    if (topics_.empty()) throw std::runtime_error("it has no channels with units");
    if (!ended) damage_ = fmt::format("it was not closed: it breaks off after {} bytes", file_size_);
  }

  void take(Opcode opcode, std::uint64_t offset, std::uint64_t length) {
    switch (opcode) {
      case Opcode::metadata:
        return takeNotes(bytes(offset, length));
      case Opcode::channel:
        return takeChannel(bytes(offset, length));
      case Opcode::attachment:
        return takeAttachment(offset, length);
      case Opcode::chunk:
        last_chunk_ = {offset, length};
        return;
      case Opcode::message_index:
        return takeIndex(bytes(offset, length));
      default:
        return;
    }
  }

  void takeNotes(const std::string& content) {
    mcap::Reader reader(content);
    if (reader.text() != "footfall") return;
    for (mcap::Reader map(reader.text()); !map.empty();) {
      const std::string key(map.text());
      notes_.emplace_back(key, map.text());
    }
  }

  void takeChannel(const std::string& content) {
    mcap::Reader reader(content);
    Topic topic;
    topic.id = reader.number<std::uint16_t>();
    reader.number<std::uint16_t>();  // its schema
    const std::string group = mcap::groupOf(std::string(reader.text()));
    reader.text();  // its encoding
    std::vector<Channel> channels;
    std::string list;
    for (mcap::Reader map(reader.text()); !map.empty();) {
      const std::string name(map.text());
      if (name == mcap::kListMark)
        list = map.text();
      else
        channels.push_back(mcap::parseChannel(name, std::string(map.text()), group));
    }
    if (channels.empty()) return;  // messages for other programs
    topic.layout = layOut(group, channels);
    if (!list.empty()) {
      lists_.push_back({list, channels});
      list_topics_.push_back(std::move(topic));
      return;
    }
    for (const std::size_t offset : topic.layout.offsets)
      places_.push_back({topics_.size(), mcap::kMessageHead + offset});
    channels_.insert(channels_.end(), channels.begin(), channels.end());
    topics_.push_back(std::move(topic));
  }

  void takeAttachment(std::uint64_t offset, std::uint64_t length) {
    constexpr std::uint64_t kNames = 4096;  // more than what stands in front of an attachment's data
    const std::string content = bytes(offset, std::min(length, kNames));
    mcap::Reader reader(content);
    reader.number<std::uint64_t>();  // times
    reader.number<std::uint64_t>();
    AttachmentInfo info;
    info.name = reader.text();
    info.media_type = reader.text();
    info.size = reader.number<std::uint64_t>();
    attachment_offsets_.push_back(offset + content.size() - reader.size());
    attachments_.push_back(std::move(info));
  }

  /// Says which bus the chunk in front of it holds, and how many rows.
  void takeIndex(const std::string& content) {
    mcap::Reader reader(content);
    const auto id = reader.number<std::uint16_t>();
    const std::size_t rows = reader.text().size() / (2 * sizeof(std::uint64_t));
    for (std::vector<Topic>* topics : {&topics_, &list_topics_})
      for (Topic& topic : *topics)
        if (topic.id == id) topic.chunks.push_back({last_chunk_.offset, last_chunk_.length, topic.rowCount(), rows});
  }

  /// Message records of a chunk, checked.
  const std::string& rowsOf(Topic& topic, std::size_t number) const {
    if (topic.loaded == number) return topic.rows;
    const RowChunk& chunk = topic.chunks[number];
    topic.loaded = ~0UL;
    try {
      const std::string content = bytes(chunk.offset, chunk.length);
      mcap::Reader reader(content);
      reader.number<std::uint64_t>();  // times
      reader.number<std::uint64_t>();
      const auto size = reader.number<std::uint64_t>();
      const auto crc = reader.number<std::uint32_t>();
      const std::string_view method = reader.text();
      if (size != chunk.rows * topic.stride()) throw std::runtime_error("it has other messages than the log's rows");
      decompress(method, reader.raw(reader.number<std::uint64_t>()), size, topic.rows);
      if (crc != 0 && crc32(topic.rows) != crc) throw std::runtime_error("its check sum is wrong");
    } catch (const std::runtime_error& error) {
      throw Error(path(), fmt::format("the chunk at byte {} is damaged: {}", chunk.offset, error.what()),
                  "rows before and after it can still be read");
    }
    topic.loaded = number;
    return topic.rows;
  }

  void fetch(std::span<const int> wanted, RowRange range, double* out) const override {
    for (std::size_t t = 0; t < topics_.size(); ++t) {
      Topic& topic = topics_[t];
      const bool needed = std::any_of(wanted.begin(), wanted.end(), [&](int c) { return place(c).topic == t; });
      if (!needed) continue;
      const auto after = std::upper_bound(topic.chunks.begin(), topic.chunks.end(), range.first,
                                          [](std::size_t row, const RowChunk& c) { return row < c.first_row; });
      for (auto chunk = after - 1; chunk != topic.chunks.end() && chunk->first_row < range.end(); ++chunk) {
        const std::string& records = rowsOf(topic, static_cast<std::size_t>(chunk - topic.chunks.begin()));
        const std::size_t first = std::max(range.first, chunk->first_row);
        const std::size_t end = std::min(range.end(), chunk->first_row + chunk->rows);
        for (std::size_t c = 0; c < wanted.size(); ++c)
          if (place(wanted[c]).topic == t)
            copyColumn(records.data() + (first - chunk->first_row) * topic.stride() + place(wanted[c]).offset,
                       topic.stride(), end - first, out + c * range.count + (first - range.first));
      }
    }
  }

  void fetchEntries(int list, std::size_t first, std::size_t end, double* out) const override {
    Topic& topic = list_topics_[static_cast<std::size_t>(list)];
    if (end > topic.rowCount())
      throw Error(path(),
                  fmt::format("the list '{}' has {} entries, its rows claim {}",
                              lists()[static_cast<std::size_t>(list)].name, topic.rowCount(), end),
                  "is it damaged?");
    const auto after = std::upper_bound(topic.chunks.begin(), topic.chunks.end(), first,
                                        [](std::size_t entry, const RowChunk& c) { return entry < c.first_row; });
    for (auto chunk = after - 1; chunk != topic.chunks.end() && chunk->first_row < end; ++chunk) {
      const std::string& records = rowsOf(topic, static_cast<std::size_t>(chunk - topic.chunks.begin()));
      const std::size_t last = std::min(end, chunk->first_row + chunk->rows);
      for (std::size_t entry = std::max(first, chunk->first_row); entry < last; ++entry) {
        const char* record = records.data() + (entry - chunk->first_row) * topic.stride() + mcap::kMessageHead;
        for (const std::size_t offset : topic.layout.offsets) std::memcpy(out++, record + offset, sizeof(double));
      }
    }
  }

  static void copyColumn(const char* from, std::size_t stride, std::size_t count, double* to) {
    for (std::size_t i = 0; i < count; ++i) std::memcpy(to + i, from + i * stride, sizeof(double));
  }

  const ColumnPlace& place(int column) const { return places_[static_cast<std::size_t>(column)]; }

  std::string fetchAttachment(std::size_t index) const override {
    try {
      return bytes(attachment_offsets_[index], attachments()[index].size);
    } catch (const std::runtime_error& error) {
      throw Error(path(), fmt::format("the attachment '{}' is damaged: {}", attachments()[index].name, error.what()));
    }
  }

  struct {
    std::uint64_t offset = 0, length = 0;
  } last_chunk_;  ///< while walking
  mutable std::ifstream file_;
  std::uint64_t file_size_ = 0;
  std::vector<Channel> channels_;                    ///< while walking
  mutable std::vector<Topic> topics_, list_topics_;  ///< of rows; of entries
  std::vector<ColumnPlace> places_;                  ///< of each column
  std::vector<std::uint64_t> attachment_offsets_;
};

}  // namespace

std::unique_ptr<LogReader> openMcap(const std::string& path) { return std::make_unique<McapReader>(path); }

}  // namespace footfall

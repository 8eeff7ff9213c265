#include "log/mcap_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <map>

#include "footfall/base/internal/crc32.hpp"
#include "footfall/base/version.hpp"
#include "log/log_file.hpp"

namespace footfall::mcap {
namespace {

constexpr const char* kMetadataName = "footfall";

void appendMap(Writer& out, const Map& map) {
  out.sized([&](Writer& w) {
    for (const auto& [key, value] : map) w.text(key).text(value);
  });
}

void appendSchema(Writer& out, const SchemaRecord& schema) {
  out.record(Opcode::schema,
             [&](Writer& w) { w.number(schema.id).text(schema.name).text(schema.encoding).text(schema.data); });
}

void appendChannel(Writer& out, const ChannelRecord& channel) {
  out.record(Opcode::channel, [&](Writer& w) {
    w.number(channel.id).number(channel.schema_id).text(channel.topic).text(channel.message_encoding);
    appendMap(w, channel.metadata);
  });
}

void appendCounts(Writer& out, const std::vector<std::pair<std::uint16_t, std::uint64_t>>& counts) {
  out.sized([&](Writer& w) {
    for (const auto& [channel, number] : counts) w.number(channel).number(number);
  });
}

}  // namespace

FileWriter::FileWriter(const std::string& path) : file_(openForWriting(path)) {}

FileWriter::~FileWriter() {
  if (file_ >= 0) closeWritten(file_);
}

void FileWriter::append(std::string_view bytes) {
  if (writeAll(file_, bytes) < bytes.size()) throw WriteFailure{errno};
  end_ += bytes.size();
}

void FileWriter::writeHead(const FileHead& head) {
  std::string start(kMagic), metadata;
  Writer(start).record(Opcode::header, [](Writer& w) { w.text("").text(fmt::format("footfall {}", version())); });
  Writer(metadata).record(Opcode::metadata, [&](Writer& w) {
    w.text(kMetadataName);
    appendMap(w, head.notes);
  });
  Writer schemas(schemas_), channels(channels_);
  for (const SchemaRecord& schema : head.schemas) appendSchema(schemas, schema);
  for (const ChannelRecord& channel : head.channels) appendChannel(channels, channel);
  schema_count_ = head.schemas.size();
  channel_count_ = head.channels.size();
  append(start);
  metadata_offset_ = end_;
  metadata_length_ = metadata.size();
  append(metadata);
  append(schemas_);
  append(channels_);
  for (const Attachment& attachment : head.attachments) writeAttachment(attachment);
  endBlock({});
}

void FileWriter::writeAttachment(const Attachment& attachment) {
  scratch_.clear();
  Writer(scratch_).record(Opcode::attachment, [&](Writer& w) {
    w.number(std::uint64_t{0}).number(std::uint64_t{0}).text(attachment.name).text(attachment.media_type);
    w.number(static_cast<std::uint64_t>(attachment.bytes.size())).raw(attachment.bytes);
    w.number(crc32(std::string_view(scratch_).substr(kRecordHead)));
  });
  attachments_.push_back({end_, scratch_.size(), attachment.bytes.size(), attachment.name, attachment.media_type});
  append(scratch_);
}

void FileWriter::indexMessages(std::string_view records, ChunkEntry& entry) {
  for (auto& [channel, entries] : index_) entries.clear();
  entry.start_time = std::numeric_limits<std::uint64_t>::max();
  entry.end_time = 0;
  for (Reader all(records); !all.empty();) {
    const std::uint64_t offset = records.size() - all.size();
    all.number<Opcode>();
    Reader message(all.raw(all.number<std::uint64_t>()));
    const auto channel = message.number<std::uint16_t>();
    message.number<std::uint32_t>();  // its sequence number
    const auto time = message.number<std::uint64_t>();
    auto found = std::find_if(index_.begin(), index_.end(), [&](const auto& i) { return i.first == channel; });
    if (found == index_.end()) found = index_.insert(index_.end(), {channel, {}});
    Writer(found->second).number(time).number(offset);
    entry.start_time = std::min(entry.start_time, time);
    entry.end_time = std::max(entry.end_time, time);
  }
}

void FileWriter::writeMessageIndex(ChunkEntry& entry) {
  scratch_.clear();
  for (const auto& [channel, entries] : index_) {
    if (entries.empty()) continue;
    entry.index_offsets.emplace_back(channel, end_ + scratch_.size());
    entry.counts.emplace_back(channel, entries.size() / (2 * sizeof(std::uint64_t)));
    Writer(scratch_).record(Opcode::message_index,
                            [&id = channel, &times = entries](Writer& w) { w.number(id).text(times); });
  }
  entry.index_length = scratch_.size();
  append(scratch_);
}

void FileWriter::writeChunk(std::string_view records) {
  if (records.empty()) return;
  ChunkEntry entry{};
  indexMessages(records, entry);
  compressor_.compress(records, compressed_);
  entry.compressed_size = compressed_.size();
  entry.uncompressed_size = records.size();
  entry.offset = end_;
  scratch_.clear();
  Writer(scratch_).record(Opcode::chunk, [&](Writer& w) {
    w.number(entry.start_time).number(entry.end_time).number(entry.uncompressed_size).number(crc32(records));
    w.text(Compressor::name()).number(entry.compressed_size).raw(compressed_);
  });
  entry.length = scratch_.size();
  append(scratch_);
  writeMessageIndex(entry);
  chunks_.push_back(std::move(entry));
}

void FileWriter::endBlock(const Extent& extent) { blocks_.push_back({end_, chunks_.size(), extent}); }

void FileWriter::appendStatistics(Writer& out) const {
  std::map<std::uint16_t, std::uint64_t> counts;
  std::uint64_t messages = 0, first = std::numeric_limits<std::uint64_t>::max(), last = 0;
  for (const ChunkEntry& chunk : chunks_) {
    for (const auto& [channel, number] : chunk.counts) {
      counts[channel] += number;
      messages += number;
    }
    first = std::min(first, chunk.start_time);
    last = std::max(last, chunk.end_time);
  }
  out.record(Opcode::statistics, [&](Writer& w) {
    w.number(messages).number(static_cast<std::uint16_t>(schema_count_));
    w.number(static_cast<std::uint32_t>(channel_count_)).number(static_cast<std::uint32_t>(attachments_.size()));
    w.number(std::uint32_t{1}).number(static_cast<std::uint32_t>(chunks_.size()));
    w.number(chunks_.empty() ? 0 : first).number(last);
    appendCounts(w, {counts.begin(), counts.end()});
  });
}

/// Everything from the end of the data to the end of the file.
std::string FileWriter::summary() const {
  std::string text;
  Writer out(text);
  out.record(Opcode::data_end, [](Writer& w) { w.number(std::uint32_t{0}); });
  const std::size_t summary_start = text.size();
  std::string offsets;
  const auto group = [&](Opcode opcode, auto write_all) {
    const std::size_t start = text.size();
    write_all();
    if (text.size() == start) return;
    Writer(offsets).record(Opcode::summary_offset, [&](Writer& w) {
      w.number(opcode).number(end_ + start).number(static_cast<std::uint64_t>(text.size() - start));
    });
  };
  group(Opcode::schema, [&] { out.raw(schemas_); });
  group(Opcode::channel, [&] { out.raw(channels_); });
  group(Opcode::statistics, [&] { appendStatistics(out); });
  group(Opcode::chunk_index, [&] {
    for (const ChunkEntry& c : chunks_)
      out.record(Opcode::chunk_index, [&](Writer& w) {
        w.number(c.start_time).number(c.end_time).number(c.offset).number(c.length);
        appendCounts(w, c.index_offsets);
        w.number(c.index_length).text(Compressor::name()).number(c.compressed_size).number(c.uncompressed_size);
      });
  });
  group(Opcode::attachment_index, [&] {
    for (const AttachmentEntry& a : attachments_)
      out.record(Opcode::attachment_index, [&](Writer& w) {
        w.number(a.offset).number(a.length).number(std::uint64_t{0}).number(std::uint64_t{0}).number(a.data_size);
        w.text(a.name).text(a.media_type);
      });
  });
  group(Opcode::metadata_index, [&] {
    out.record(Opcode::metadata_index,
               [&](Writer& w) { w.number(metadata_offset_).number(metadata_length_).text(kMetadataName); });
  });
  const std::uint64_t offsets_start = end_ + text.size();
  out.raw(offsets);
  out.record(Opcode::footer, [&](Writer& w) {
    w.number(end_ + summary_start).number(offsets_start);
    w.number(crc32(std::string_view(text).substr(summary_start)));
  });
  out.raw(kMagic);
  return text;
}

void FileWriter::finish() {
  append(summary());
  // Some file systems report a full disk only here.
  if (closeWritten(std::exchange(file_, -1)) != 0) throw WriteFailure{errno};
}

void FileWriter::cutBack(const Block& block) {
  end_ = block.end;
  chunks_.resize(block.chunks);
  // A device cannot be cut: then what is there stays, and readers stop where it breaks off.
  (void)!::ftruncate(file_, static_cast<off_t>(end_));
  ::lseek(file_, static_cast<off_t>(end_), SEEK_SET);
}

Extent FileWriter::salvage() {
  for (; file_ >= 0 && !blocks_.empty(); blocks_.pop_back()) {
    cutBack(blocks_.back());
    const std::string end = summary();
    if (writeAll(file_, end) < end.size()) continue;
    closeWritten(std::exchange(file_, -1));
    return blocks_.back().extent;
  }
  return {};
}

}  // namespace footfall::mcap

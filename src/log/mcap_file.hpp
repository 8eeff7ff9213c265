#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "footfall/log/log.hpp"
#include "log/compression.hpp"
#include "log/mcap_format.hpp"

namespace footfall::mcap {

using Map = std::vector<std::pair<std::string, std::string>>;

struct SchemaRecord {
  std::uint16_t id = 0;
  std::string name, encoding, data;
};

struct ChannelRecord {
  std::uint16_t id = 0, schema_id = 0;
  std::string topic, message_encoding;
  Map metadata;
};

/// What stands in front of the messages.
struct FileHead {
  Map notes;
  std::vector<SchemaRecord> schemas;
  std::vector<ChannelRecord> channels;
  std::vector<Attachment> attachments;
};

/// How far a file goes.
struct Extent {
  std::size_t rows = 0;
  double time = 0.0;  ///< of the last row [s]
};

/// The file could not be written any further.
struct WriteFailure : std::exception {
  explicit WriteFailure(int number) : error_number(number) {}
  int error_number;
};

/// Writes an MCAP file from its start to its end, and remembers what its summary needs. Chunks come in blocks: a block
/// is in the file as a whole, or it does not count.
class FileWriter {
 public:
  /// Throws LogError.
  explicit FileWriter(const std::string& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  // All of these throw WriteFailure.
  void writeHead(const FileHead& head);
  /// Whole message records.
  void writeChunk(std::string_view records);
  /// The chunks since the last call belong together; the file now goes this far.
  void endBlock(const Extent& extent);
  /// Summary, footer, and the file is closed.
  void finish();

  /// After a WriteFailure: gives up as many blocks as it takes to end the file properly, and returns how far it goes.
  Extent salvage();

 private:
  struct AttachmentEntry {
    std::uint64_t offset, length, data_size;
    std::string name, media_type;
  };
  struct ChunkEntry {
    std::uint64_t start_time, end_time, offset, length, index_length, compressed_size, uncompressed_size;
    std::vector<std::pair<std::uint16_t, std::uint64_t>> index_offsets;  ///< of each channel
    std::vector<std::pair<std::uint16_t, std::uint64_t>> counts;         ///< messages of each channel
  };
  struct Block {
    std::uint64_t end;   ///< in the file
    std::size_t chunks;  ///< up to there
    Extent extent;
  };

  void append(std::string_view bytes);
  void writeAttachment(const Attachment& attachment);
  /// Groups messages by channel; fills times and counts of the entry.
  void indexMessages(std::string_view records, ChunkEntry& entry);
  void writeMessageIndex(ChunkEntry& entry);
  void appendStatistics(Writer& out) const;
  std::string summary() const;
  void cutBack(const Block& block);

  int file_;
  std::uint64_t end_ = 0;  ///< of the file
  Compressor compressor_;
  std::string scratch_, compressed_;
  std::vector<std::pair<std::uint16_t, std::string>> index_;  ///< of the chunk under way: entries of each channel

  std::string schemas_, channels_;  ///< records as they were written
  std::size_t schema_count_ = 0, channel_count_ = 0;
  std::vector<AttachmentEntry> attachments_;
  std::uint64_t metadata_offset_ = 0, metadata_length_ = 0;
  std::vector<ChunkEntry> chunks_;
  std::vector<Block> blocks_;  ///< the first one is the head of the file
};

}  // namespace footfall::mcap

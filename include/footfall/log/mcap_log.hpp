#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "footfall/log/log.hpp"

namespace footfall {

/// MCAP (version 0 of its specification): chunks that are compressed and indexed, readable by every MCAP library and
/// by Foxglove. Each bus is a topic `/<group>` with a protobuf message for every row; units and components are in the
/// metadata of its channel, notes in the metadata record `footfall`. A list is a topic with a message for every entry,
/// whose sequence number is that of its row.
///
/// Rows are copied into memory that is there already; another thread compresses and writes it. When that thread falls
/// behind by several megabytes, endRow() waits for it: rows are never dropped. See secondsWaited().
class McapLog : public Log, public MessageSink {
 public:
  /// Creates or empties the file; throws LogError when that cannot be done.
  explicit McapLog(const std::string& path);
  /// Writes what is left if it can; call close() to learn whether it could.
  ~McapLog() override;
  McapLog(const McapLog&) = delete;
  McapLog& operator=(const McapLog&) = delete;

  bool keepsAttachments() const override { return true; }
  bool keepsLists() const override { return true; }
  MessageSink* messages() override { return this; }
  int addTopic(const Topic& topic) override;
  void writeMessage(int topic, double time, std::string_view message) override;

  void flush() override;
  void close() override;
  double secondsWaited() const override;

 protected:
  void writeHeader(const LogNotes& notes, const std::vector<Channel>& channels,
                   const std::vector<Attachment>& attachments) override;
  void writeRow(const std::vector<double>& values) override;
  void writeEntries(int list, const std::vector<double>& row, std::span<const double> entries) override;
  void pushRows() override;

 private:
  class Writer;
  std::unique_ptr<Writer> writer_;
};

}  // namespace footfall

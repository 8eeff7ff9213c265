#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "footfall/base/cannot_write.hpp"
#include "footfall/spatial/pose.hpp"

namespace footfall {

/// The log cannot be written, or not any further.
class LogError : public CannotWrite {
  using CannotWrite::CannotWrite;
};

/// One quantity of a log: its columns are `name [unit]`, or `name.component [unit]` for each component.
struct Channel {
  std::string name;                     ///< "l_sole.force"; no two channels of a log have the same one
  std::string unit;                     ///< "N"; "-" for plain numbers
  std::vector<std::string> components;  ///< "x", "y", "z"; empty: a single number
  std::string group = {};  ///< the bus that it belongs to, such as `contacts`: a topic in MCAP, a struct in .mat

  int size() const { return components.empty() ? 1 : static_cast<int>(components.size()); }
};

/// One column of numbers over time.
struct Column {
  std::string name;  ///< "l_sole.force.x"
  std::string unit;  ///< "N"; "-" for plain numbers
};

/// In the order of the file.
std::vector<Column> columnsOf(const std::vector<Channel>& channels);

/// Names of the columns with their units: "l_sole.force.x [N]".
std::vector<std::string> columnNames(const std::vector<Channel>& channels);

/// Entries of which a row has any number, such as the contacts of a step: a table of its own, whose lines belong to
/// rows.
struct EntryList {
  std::string name;               ///< "contact_points"
  std::vector<Channel> channels;  ///< of one entry
  std::string group = {};         ///< the bus of the channel that counts the entries of a row

  int size() const;  ///< numbers of one entry
};

/// Lines about a whole log, such as the version of the program: key and value, in the order of the file.
using LogNotes = std::vector<std::pair<std::string, std::string>>;

/// A file that belongs to a log: the robot, its meshes, the scene.
struct Attachment {
  std::string name;        ///< "scene.yaml"; a mesh is called what the model file calls it
  std::string media_type;  ///< "model/stl", "text/yaml" …
  std::string bytes;
};

/// The place of a channel in the rows; given by Log::add().
struct ChannelHandle {
  int first = -1;  ///< column
  int size = 0;    ///< number of columns
};

/// The place of a list in a log; given by Log::addList().
struct ListHandle {
  int number = -1;
};

/// Takes messages of other programs' kinds beside the rows, where the format of the log has room for them.
class MessageSink {
 public:
  struct Topic {
    std::string name;              ///< "/tf"
    std::string schema_name;       ///< "foxglove.FrameTransforms"
    std::string schema_encoding;   ///< "protobuf"
    std::string schema;            ///< in that encoding
    std::string message_encoding;  ///< "protobuf"
  };
  virtual ~MessageSink() = default;
  /// Before begin(); returns the number of the topic.
  virtual int addTopic(const Topic& topic) = 0;
  /// After begin(); time in [s].
  virtual void writeMessage(int topic, double time, std::string_view message) = 0;
};

/// A table that grows by rows of numbers, with a unit for every column. Knows no robot.
///
///     CsvLog log("run.csv");
///     const ChannelHandle time = log.add({"time", "s", {}});
///     log.begin();
///     log.set(time, 0.25);
///     log.endRow();
///     log.close();   // throws when the last rows cannot be written; a destructor could not
class Log {
 public:
  virtual ~Log() = default;

  /// Before begin(): a line about the whole log, such as the version of the program.
  void addNote(const std::string& key, const std::string& value) { notes_.emplace_back(key, value); }
  /// Before begin(): one more channel. The first one should be the time: messages name rows by it.
  ChannelHandle add(Channel channel);
  /// Before begin(): one more list. The channel `<name>.count` says how many entries a row has; where keepsLists() is
  /// false, it is all that is kept.
  ListHandle addList(EntryList list);
  /// The format has a place for lists.
  virtual bool keepsLists() const { return false; }
  /// Before begin(): a file to be kept in the log; ignored where keepsAttachments() is false.
  void attach(Attachment attachment);
  /// The format has room for attachments.
  virtual bool keepsAttachments() const { return false; }
  /// Where messages of other kinds go; null when the format has no room for them.
  virtual MessageSink* messages() { return nullptr; }
  /// Writes the header; throws LogError when nothing can be written.
  void begin();

  void set(ChannelHandle channel, double value);
  void set(ChannelHandle channel, const Eigen::Ref<const VectorXd>& values);
  /// One more entry of this row: its numbers in the order of the list's channels.
  void addEntry(ListHandle list, std::span<const double> values);
  /// Ends a row: what was not set in it stays empty. Rows get into the file within a second, so that they survive a
  /// program that is killed (not in .mat files, which are written by close()). Throws LogError when rows cannot be
  /// written.
  void endRow();

  /// Hands everything to the operating system.
  virtual void flush() = 0;
  /// Flushes, and makes sure that it worked. Nothing can be written afterwards.
  virtual void close() = 0;

  /// How long endRow() has waited until now because the disk, or the thread that writes, was slower than the run [s].
  virtual double secondsWaited() const { return 0.0; }

  const std::vector<Channel>& channels() const { return channels_; }
  const std::vector<EntryList>& lists() const { return lists_; }

 protected:
  virtual void writeHeader(const LogNotes& notes, const std::vector<Channel>& channels,
                           const std::vector<Attachment>& attachments) = 0;
  /// Values that are not a number were not set.
  virtual void writeRow(const std::vector<double>& values) = 0;
  /// All entries of the row that writeRow() writes next, one after the other; there is at least one.
  virtual void writeEntries(int /*list*/, const std::vector<double>& /*row*/, std::span<const double> /*entries*/) {}
  /// Starts to bring all rows into the file; need not wait until they are there.
  virtual void pushRows() { flush(); }

 private:
  LogNotes notes_;
  std::vector<Channel> channels_;
  std::vector<Attachment> attachments_;  ///< until begin()
  std::vector<double> row_;
  std::vector<EntryList> lists_;
  std::vector<ChannelHandle> list_counts_;    ///< channel that counts the entries of a list
  std::vector<std::vector<double>> entries_;  ///< of each list, in this row; empty where they are not kept
  std::vector<std::size_t> entry_counts_;     ///< how many there are
  std::chrono::steady_clock::time_point last_push_;
};

/// Opens a file for writing; its ending chooses the format: .mcap, .csv or .mat. Throws Error that names
/// the endings, LogError when the file cannot be opened.
std::unique_ptr<Log> makeLog(const std::string& path);

}  // namespace footfall

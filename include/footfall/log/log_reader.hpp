#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "footfall/log/log.hpp"

namespace footfall {

/// Rows of a log, one after the other.
struct RowRange {
  std::size_t first = 0;
  std::size_t count = 0;
  std::size_t end() const { return first + count; }
};

/// What a log says about an attachment without reading it.
struct AttachmentInfo {
  std::string name;
  std::string media_type;
  std::size_t size = 0;  ///< bytes
};

/// Entries of a list that belong to some rows.
struct ListEntries {
  std::vector<std::size_t> first;  ///< those of row i are first[i] … first[i + 1] − 1
  std::vector<double> values;      ///< entry by entry
};

/// Reads a log without loading it: notes, channels and the number of rows are there at once, numbers are fetched when
/// they are asked for. Values that were not set in a row are not-a-number.
///
///     const auto log = openLog("run.mcap");
///     for (double force : log->column("l_sole.force.z")) …
///
/// One reader belongs to one thread at a time. Functions that read throw Error when the file is not what it was.
class LogReader {
 public:
  virtual ~LogReader() = default;

  const std::string& path() const { return path_; }
  const LogNotes& notes() const { return notes_; }
  /// The value of a note; empty when there is none.
  std::string note(std::string_view key) const;
  const std::vector<Channel>& channels() const { return channels_; }
  /// "l_sole.force.x", without units, in the order of the file.
  const std::vector<std::string>& columns() const { return columns_; }
  /// Unit of a column.
  const std::string& unit(int column) const { return units_[static_cast<std::size_t>(column)]; }
  /// Number of a column by its name, with or without " [unit]"; throws Error with the nearest names.
  int columnIndex(std::string_view name) const;
  /// Columns whose name, or whose channel's name, matches a pattern with `*` and `?`: `l_sole.force*`. In the order of
  /// the file; throws Error with the nearest names when there is none.
  std::vector<int> matchingColumns(std::string_view pattern) const;

  std::size_t rows() const { return rows_; }
  /// Empty when the log was closed as it should be; else what is missing: "it ends in the middle of a chunk …".
  const std::string& damage() const { return damage_; }

  /// The first column of every row; read at the first call and kept [s].
  const std::vector<double>& times() const;
  /// Rows with start ≤ time ≤ end.
  RowRange rowsBetween(double start, double end) const;

  /// Some columns of some rows: the whole of the first column, then of the second …
  std::vector<double> read(std::span<const int> columns, RowRange rows) const;
  /// All rows of one column.
  std::vector<double> column(int index) const;
  std::vector<double> column(std::string_view name) const { return column(columnIndex(name)); }
  /// All columns of one row.
  std::vector<double> row(std::size_t index) const;

  /// Lists of the log, of whose entries a row has any number.
  const std::vector<EntryList>& lists() const { return lists_; }
  /// Number of a list by its name; −1: the log has none of that name.
  int findList(std::string_view name) const;
  /// The entries of some rows.
  ListEntries entries(int list, RowRange rows) const;

  const std::vector<AttachmentInfo>& attachments() const { return attachments_; }
  bool hasAttachment(std::string_view name) const;
  /// The bytes of an attachment; throws Error with the nearest names.
  std::string attachment(std::string_view name) const;

 protected:
  explicit LogReader(std::string path) : path_(std::move(path)) {}
  void setChannels(std::vector<Channel> channels);
  /// Writes read()'s numbers; the arguments have been checked.
  virtual void fetch(std::span<const int> columns, RowRange rows, double* out) const = 0;
  virtual std::string fetchAttachment(std::size_t index) const = 0;
  /// Entries [first, end) of a list, entry by entry; throws Error when the file has fewer.
  virtual void fetchEntries(int /*list*/, std::size_t /*first*/, std::size_t /*end*/, double* /*out*/) const {}

  LogNotes notes_;
  std::size_t rows_ = 0;
  std::string damage_;
  std::vector<AttachmentInfo> attachments_;
  std::vector<EntryList> lists_;

 private:
  const std::vector<std::size_t>& listStarts(int list) const;

  std::string path_;
  std::vector<Channel> channels_;
  std::vector<std::string> columns_, units_;
  mutable std::vector<double> times_;
  mutable std::vector<std::vector<std::size_t>> list_starts_;  ///< of each list: entries before each row
};

/// Opens a .mcap or .csv file for reading; throws Error that says what it is instead. A file that was cut off (the
/// program was killed, the disk was full) is read up to its last complete row: see damage().
std::unique_ptr<LogReader> openLog(const std::string& path);

}  // namespace footfall

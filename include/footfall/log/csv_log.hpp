#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "footfall/log/log.hpp"

namespace footfall {

/// Comma-separated values: notes as lines that start with `#`, one line of column names with units, then the rows.
/// Numbers are written with as many digits as it takes to read back the same bits.
class CsvLog : public Log {
 public:
  /// Creates or empties the file; throws LogError when that cannot be done.
  explicit CsvLog(std::string path);
  /// Writes what is left if it can; call close() to learn whether it could.
  ~CsvLog() override;
  CsvLog(const CsvLog&) = delete;
  CsvLog& operator=(const CsvLog&) = delete;

  void flush() override;
  void close() override;

  const std::string& path() const { return path_; }

 protected:
  void writeHeader(const LogNotes& notes, const std::vector<Channel>& channels,
                   const std::vector<Attachment>& attachments) override;
  void writeRow(const std::vector<double>& values) override;

 private:
  void countRows(std::string_view lines);
  /// After a write that stopped half-way: cuts the file behind its last complete line and closes it.
  void keepCompleteLines(std::size_t written);
  /// Throws the error that says how far the log goes.
  [[noreturn]] void fail(int error_number) const;

  std::string path_;
  int file_ = -1;
  std::string buffer_;      ///< complete lines that are not in the file yet
  bool in_header_ = true;   ///< the buffer holds the header, not rows
  std::size_t rows_ = 0;    ///< complete ones in the file
  std::string last_row_;    ///< first number of the last of them
  std::string first_name_;  ///< of the first channel
  std::string first_unit_;
};

}  // namespace footfall

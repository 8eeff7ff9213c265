#include "footfall/log/csv_log.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <utility>

#include "footfall/base/text_number.hpp"
#include "log/csv_reader.hpp"
#include "log/log_file.hpp"

namespace footfall {
namespace {

constexpr std::size_t kBufferSize = 64 * 1024;

/// As RFC 4180 has it: only names with commas, quotes or line breaks need quotes.
std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\n") == std::string::npos) return name;
  std::string result = "\"";
  for (const char letter : name) result += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return result + '"';
}

/// A note is one line, whatever it holds.
std::string singleLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// Which neighbours among the columns are one channel, and how many they are: the names of columns do not say it.
std::string vectorNote(const std::vector<Channel>& channels) {
  std::string names;
  for (const Channel& channel : channels) {
    if (channel.components.empty()) continue;
    if (!names.empty()) names += ',';
    names += quoted(fmt::format("{} {}", channel.name, channel.size()));
  }
  return names.empty() ? names : fmt::format("# {}: {}\n", kCsvVectors, singleLine(names));
}

}  // namespace

CsvLog::CsvLog(std::string path) : path_(std::move(path)), file_(openForWriting(path_)) {}

CsvLog::~CsvLog() {
  if (file_ < 0) return;
  writeAll(file_, buffer_);
  closeWritten(file_);
}

void CsvLog::writeHeader(const LogNotes& notes, const std::vector<Channel>& channels, const std::vector<Attachment>&) {
  if (!channels.empty()) {
    first_name_ = channels.front().name;
    first_unit_ = channels.front().unit;
  }
  for (const auto& [key, value] : notes) buffer_ += fmt::format("# {}: {}\n", key, singleLine(value));
  if (!notes.empty()) buffer_ += vectorNote(channels);  // without notes it is a plain table, which others read
  const char* separator = "";
  for (const std::string& name : columnNames(channels)) {
    buffer_ += separator;
    buffer_ += quoted(name);
    separator = ",";
  }
  buffer_ += '\n';
  flush();
  in_header_ = false;
}

void CsvLog::writeRow(const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) buffer_ += ',';
    if (!std::isnan(values[i])) fmt::format_to(std::back_inserter(buffer_), "{}", values[i]);
  }
  buffer_ += '\n';
  if (buffer_.size() >= kBufferSize) flush();
}

void CsvLog::flush() {
  const std::size_t written = writeAll(file_, buffer_);
  if (written < buffer_.size()) {
    const int error_number = errno;
    keepCompleteLines(written);
    fail(error_number);
  }
  countRows(buffer_);
  buffer_.clear();
}

void CsvLog::close() {
  if (file_ < 0) return;
  flush();
  // Some file systems report a full disk only here.
  if (closeWritten(std::exchange(file_, -1)) != 0) fail(errno);
}

void CsvLog::countRows(std::string_view lines) {
  if (in_header_ || lines.empty()) return;
  rows_ += static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n'));
  lines.remove_suffix(1);
  const std::string_view last = lines.substr(lines.rfind('\n') + 1);  // npos + 1 is 0: a single line
  last_row_ = last.substr(0, last.find(','));
}

void CsvLog::keepCompleteLines(std::size_t written) {
  const std::string_view in_file = std::string_view(buffer_).substr(0, written);
  const std::size_t complete = in_file.rfind('\n') + 1;
  countRows(in_file.substr(0, complete));
  buffer_.clear();
  const off_t end = ::lseek(file_, 0, SEEK_CUR);
  // A device cannot be cut: then half a row stays at its end, and the message says which one is the last whole one.
  if (end >= 0) (void)!::ftruncate(file_, end - static_cast<off_t>(written - complete));
  closeWritten(std::exchange(file_, -1));
}

void CsvLog::fail(int error_number) const {
  throw cannotWrite(path_, error_number,
                    extentOf(rows_, first_name_, parseNumber(last_row_).value_or(0.0), first_unit_));
}

}  // namespace footfall

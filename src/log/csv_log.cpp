#include "footfall/log/csv_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

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

std::string hintFor(int error_number) {
  switch (error_number) {
    case ENOENT:
      return "does the folder exist?";
    case EACCES:
    case EROFS:
      return "choose a place that you may write to, with --log or run.log";
    case ENOSPC:
    case EDQUOT:
      return "free some space, or log less often with run.log_period";
    default:
      return "";
  }
}

/// Writes all of it; returns how much was written and leaves errno when that is less.
std::size_t writeAll(int file, std::string_view text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = ::write(file, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    written += static_cast<std::size_t>(count);
  }
  return written;
}

}  // namespace

CsvLog::CsvLog(std::string path) : path_(std::move(path)) {
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) {
    const int error_number = errno;
    throw LogError(path_, fmt::format("the log cannot be opened for writing: {}", std::strerror(error_number)),
                   hintFor(error_number));
  }
}

CsvLog::~CsvLog() {
  if (file_ < 0) return;
  writeAll(file_, buffer_);
  ::close(file_);
}

void CsvLog::writeHeader(const LogNotes& notes, const std::vector<Channel>& channels, const std::vector<Attachment>&) {
  if (!channels.empty()) {
    first_name_ = channels.front().name;
    first_unit_ = channels.front().unit;
  }
  for (const auto& [key, value] : notes) buffer_ += fmt::format("# {}: {}\n", key, singleLine(value));
  std::string separator;
  for (const std::string& name : columnNames(channels)) {
    buffer_ += separator + quoted(name);
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
  if (::close(std::exchange(file_, -1)) != 0) fail(errno);
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
  ::close(std::exchange(file_, -1));
}

void CsvLog::fail(int error_number) const {
  const std::string extent =
      rows_ == 0 ? "it has no complete row"
                 : fmt::format("it is complete up to {} = {} {}, {} rows", first_name_, last_row_, first_unit_, rows_);
  throw LogError(path_, fmt::format("the log cannot be written: {}; {}", std::strerror(error_number), extent),
                 hintFor(error_number));
}

}  // namespace footfall
